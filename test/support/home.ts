// Homes of embedded servers for tests of the command line; each test stops its servers at the end.
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, it } from 'vitest';
import { EmbeddedServer, type EmbeddedStatus } from '../../src/db/index.js';
import { type CliOptions, type CliResult, runCli } from './cli.js';

export const isRoot = process.getuid?.() === 0;
const homes: { readonly home: string; readonly options: CliOptions }[] = [];
if (!isRoot) console.log('skipped: the tests that need root');
/** A test that needs root; elsewhere it is skipped. */
export const itAsRoot = it.runIf(isRoot);

export function newHome(options: CliOptions = {}): {
  home: string;
  run: (...args: string[]) => Promise<CliResult>;
} {
  const parent = mkdtempSync(join(tmpdir(), 'gcos-cli-'));
  chmodSync(parent, 0o755);
  const home = join(parent, 'home');
  const withHome = { ...options, env: { ...options.env, GCOS_HOME: home } };
  homes.push({ home, options: withHome });
  return { home, run: (...args) => runCli(args, withHome) };
}

/** The status that `db status --json` prints, without starting a process. One test checks that both agree. */
export function statusOf({ home }: { readonly home: string }): EmbeddedStatus {
  const status = new EmbeddedServer(home).status();
  if (status === undefined) throw new Error(`there is no server in ${home}`);
  return status;
}

/** Stops the servers and deletes the homes after each test of the file. */
export function useHomes(): void {
  afterEach(async () => {
    for (const { home, options } of homes.splice(0)) {
      // As the user of the home: root does not use the home of another user.
      await runCli(['db', 'stop', '--force'], options);
      const state = join(home, 'server.json');
      const { folder } = existsSync(state)
        ? (JSON.parse(readFileSync(state, 'utf8')) as { folder: string })
        : { folder: home };
      rmSync(resolve(home, folder), { recursive: true, force: true });
      rmSync(join(home, '..'), { recursive: true, force: true });
    }
  });
}
