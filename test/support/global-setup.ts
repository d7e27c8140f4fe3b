import type { TestProject } from 'vitest/node';
import { buildTemplates } from './estate.js';
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
  await buildTemplates(server.url);
  return () => server.stop();
}
