import type { TestProject } from 'vitest/node';
import { startServer } from './server.js';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The suite's server, database `gcos`. */
    serverUrl: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startServer();
  project.provide('serverUrl', server.url);
  // An interrupted run has no teardown, and the server would stay. On SIGINT and SIGTERM vitest exits at
  // once: the server still stops, but its files stay.
  const interrupted = () => void server.stop().finally(() => process.exit(130));
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.once(signal, interrupted);
  return async () => {
    for (const signal of signals) process.off(signal, interrupted);
    await server.stop();
    const { seed } = project.globalConfig.sequence;
    // vitest prints the seed only at the start of the run; this repeats it at the end of a long log.
    if (seed !== undefined) console.log(`GCOS_TEST_SEED=${seed} repeats the order of this run`);
  };
}
