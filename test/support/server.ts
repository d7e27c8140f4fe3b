// One real server for the whole suite, and more for tests that kill theirs. Durability is off: the data is ours.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Binaries, EmbeddedServer } from '../../src/db/index.js';

export interface TestServer {
  readonly url: string;
  readonly home: string;
  /** Where the server keeps its data and log. */
  readonly folder: string;
  stop(): Promise<void>;
}

const SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

/** Starts a server of its own in a temporary home. */
export async function startServer(
  options: { binaries?: Binaries; settings?: Record<string, string> } = {},
): Promise<TestServer> {
  const home = mkdtempSync(join(tmpdir(), 'gcos-test-'));
  const server = new EmbeddedServer(home, {
    ...(options.binaries === undefined ? {} : { binaries: options.binaries }),
    settings: { ...SETTINGS, ...options.settings },
  });
  const url = await server.enter();
  const folder = server.status()?.folder ?? home;
  return {
    url,
    home,
    folder,
    async stop() {
      await server.leave();
      for (const path of [folder, home]) rmSync(path, { recursive: true, force: true });
    },
  };
}
