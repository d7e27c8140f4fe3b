// Copies of a test server, as a DBA makes them: a dump of one database and of the roles, and a copy of the
// files of a server that was stopped.
import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serverAccount } from '../../src/db/embedded/account.js';
import { prepareBinaries } from '../../src/db/embedded/binaries.js';
import { type Cluster, startCluster, stopCluster } from '../../src/db/embedded/cluster.js';
import type { Binaries } from '../../src/db/index.js';
import { urlFor } from './database.js';
import type { TestServer } from './server.js';

const CLIENT_PROGRAMS = '/usr/lib/postgresql/15/bin';

/** The folder with pg_dump, pg_dumpall, pg_restore and psql of PostgreSQL 15, if they are installed. */
export function findClientPrograms(): string | undefined {
  const needed = ['pg_dump', 'pg_dumpall', 'pg_restore', 'psql'];
  return needed.every((name) => existsSync(join(CLIENT_PROGRAMS, name))) ? CLIENT_PROGRAMS : undefined;
}

export interface Dump {
  readonly roles: string;
  readonly database: string;
  remove(): void;
}

/** Dumps the roles of the server at `url`, and its database. */
export function dump(programs: string, url: string): Dump {
  const folder = mkdtempSync(join(tmpdir(), 'gcos-dump-'));
  const [roles, database] = [join(folder, 'roles.sql'), join(folder, 'gcos.dump')];
  const run = (program: string, ...args: string[]) =>
    execFileSync(join(programs, program), args, { stdio: 'pipe' });
  run('pg_dumpall', '--roles-only', '-d', url, '-f', roles);
  run('pg_dump', '-Fc', '-d', url, '-f', database);
  return { roles, database, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/**
 * Restores a dump into a new server, and returns the URL of the database. The roles come with their
 * passwords, that of the superuser included: from then on the server at `url` has that of the dumped one.
 */
export function restore(programs: string, { roles, database }: Dump, url: string, password: string): string {
  const run = (program: string, ...args: string[]) =>
    spawnSync(join(programs, program), args, { encoding: 'utf8', env: { PATH: process.env['PATH'] } });
  const maintenance = urlFor(url, { database: 'postgres' });
  // The superuser exists; every other role must be new.
  const made = run('psql', '-X', '-q', '-d', maintenance, '-f', roles);
  const refused = made.stderr
    .split('\n')
    .filter((line) => /ERROR/.test(line) && !/role "postgres"/.test(line));
  if (made.status !== 0 || refused.length > 0) throw new Error(`psql: ${made.stderr}`);
  const restored = urlFor(url, { database: 'restored', password });
  const server = urlFor(restored, { database: 'postgres' });
  for (const [program, ...args] of [
    ['psql', '-X', '-q', '-d', server, '-c', 'create database restored template template0'],
    ['pg_restore', '--exit-on-error', '-d', restored, database],
    ['psql', '-X', '-q', '-d', restored, '-c', 'analyze'],
  ] as const) {
    const done = run(program, ...args);
    if (done.status !== 0) throw new Error(`${program}: ${done.stderr}`);
  }
  return restored;
}

export interface CopiedServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Stops the server, copies its data, and starts the copy as another server. */
export async function startCopy(original: TestServer, binaries: Binaries): Promise<CopiedServer> {
  const source = join(original.folder, 'data');
  const owner = statSync(source);
  const account = serverAccount(owner);
  const asOwner = account === undefined ? {} : { uid: owner.uid, gid: owner.gid };
  const stopped = spawnSync(
    join(prepareBinaries(binaries, account, original.folder).root, 'bin/pg_ctl'),
    ['stop', '-D', source, '-m', 'fast', '-w'],
    { ...asOwner, cwd: original.folder, stdio: 'ignore' },
  );
  if (stopped.status !== 0) throw new Error('the server did not stop');
  const folder = mkdtempSync(join(tmpdir(), 'gcos-copy-'));
  if (account !== undefined) chownSync(folder, owner.uid, owner.gid);
  execFileSync('cp', ['-a', source, join(folder, 'data')]);
  const cluster: Cluster = {
    binaries: prepareBinaries(binaries, account, folder),
    account,
    folder,
    settings: { fsync: 'off', search_path: 'public,gcos_trust' },
  };
  const { port } = await startCluster(cluster);
  const url = new URL(original.url);
  url.port = String(port);
  return {
    url: url.href,
    async stop() {
      await stopCluster(cluster);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
