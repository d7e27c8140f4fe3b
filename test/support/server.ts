// One real server for the whole suite, and separate ones for tests that kill theirs. Durability is off, and
// their files are in memory where there is room.
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Binaries, EmbeddedServer } from '../../src/db/index.js';

export interface TestServer {
  readonly url: string;
  readonly home: string;
  /** The directory of the server's data and log. */
  readonly folder: string;
  stop(): Promise<void>;
}

/** The search path is for the statements of the tests themselves: GCOS sets its own in every transaction. */
export const SERVER_SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  search_path: 'public,gcos_trust',
};

const MEMORY = '/dev/shm';
const ROOM_BYTES = 6 * 2 ** 30;

/**
 * Where servers keep their files. The suite creates and drops a thousand databases of 1,500 files each. On
 * ext4 the search for free inodes took a quarter of all processor time.
 */
function parentOfHomes(): string {
  if (process.env['GCOS_TEST_ON_DISK'] !== undefined || !existsSync(MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize > ROOM_BYTES ? MEMORY : tmpdir();
}

/** Starts a separate server in a temporary home. */
export async function startServer(
  options: { binaries?: Binaries; settings?: Record<string, string> } = {},
): Promise<TestServer> {
  const home = mkdtempSync(join(parentOfHomes(), 'gcos-test-'));
  // If root runs the tests, the account of the server must be able to enter the home.
  chmodSync(home, 0o755);
  const server = new EmbeddedServer(home, {
    ...(options.binaries === undefined ? {} : { binaries: options.binaries }),
    settings: { ...SERVER_SETTINGS, ...options.settings },
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

const DEBIAN_15 = '/usr/lib/postgresql/15';

/** Debian's PostgreSQL 15, if installed. It is built with JIT, unlike the embedded binaries. */
export function findDebianBinaries(): Binaries | undefined {
  const needed = ['bin/postgres', 'bin/initdb', 'lib/llvmjit.so', 'lib/pg_stat_statements.so'];
  if (!needed.every((file) => existsSync(join(DEBIAN_15, file)))) return undefined;
  return { root: DEBIAN_15, version: '15-debian' };
}

/** Starts a server that uses JIT for every statement that allows it, and counts the JIT compilations. */
export function startServerWithJit(binaries: Binaries): Promise<TestServer> {
  return startServer({
    binaries,
    settings: {
      jit: 'on',
      jit_above_cost: '0',
      shared_preload_libraries: 'pg_stat_statements',
      'pg_stat_statements.track': 'all',
      'pg_stat_statements.max': '10000',
    },
  });
}
