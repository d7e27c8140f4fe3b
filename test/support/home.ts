// Homes of embedded servers for tests of the command line; each test stops its servers at the end.
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { EmbeddedServer, type EmbeddedStatus } from '../../src/db/index.js';
import { type CliOptions, type CliResult, runCli } from './cli.js';

export const isRoot = process.getuid?.() === 0;
const homes: string[] = [];

export function newHome(options: CliOptions = {}): {
  home: string;
  run: (...args: string[]) => Promise<CliResult>;
} {
  const parent = mkdtempSync(join(tmpdir(), 'gcos-cli-'));
  chmodSync(parent, 0o755);
  const home = join(parent, 'home');
  const withHome = { ...options, env: { ...options.env, GCOS_HOME: home } };
  homes.push(home);
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
    for (const home of homes.splice(0)) {
      const server = existsSync(home) ? new EmbeddedServer(home) : undefined;
      const folder = server?.status()?.folder;
      if (folder !== undefined) await server?.stop({ force: true });
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
      rmSync(join(home, '..'), { recursive: true, force: true });
    }
  });
}
