// A streaming standby of a test server, which can be promoted, and a proxy that can point clients at it.
import { execFileSync } from 'node:child_process';
import { appendFileSync, chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { serverAccount } from '../src/db/embedded/account.js';
import { findBinaries, prepareBinaries } from '../src/db/embedded/binaries.js';
import { type Cluster, startCluster, stopCluster } from '../src/db/embedded/cluster.js';
import { until } from '../test/support/wait.js';

export interface Standby {
  readonly url: string;
  /** Waits until it has replayed everything, and makes it a primary with a timeline of its own. */
  promote(): Promise<void>;
  stop(): Promise<void>;
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

/** Copies the running server in `folder` and starts the copy as its standby. */
export async function startStandby(primary: {
  readonly url: string;
  readonly folder: string;
}): Promise<Standby> {
  const folder = mkdtempSync(join(tmpdir(), 'gcos-standby-'));
  const source = join(primary.folder, 'data');
  const owner = statSync(source);
  const account = serverAccount(owner);
  if (account !== undefined) chownSync(folder, owner.uid, owner.gid);
  const data = join(folder, 'data');
  const backup = new pg.Client({ connectionString: primary.url });
  await backup.connect();
  await backup.query(`select pg_backup_start('standby', true)`);
  try {
    execFileSync('cp', ['-a', source, data]);
  } catch {
    // Files that vanish while they are copied are not needed; the log has what is missing.
  }
  const { rows } = await backup.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
  await backup.end();
  rmSync(join(data, 'postmaster.pid'), { force: true });
  const { hostname, port, username, password } = new URL(primary.url);
  for (const [file, text] of [
    ['backup_label', rows[0]?.labelfile ?? ''],
    ['standby.signal', ''],
  ] as const) {
    writeFileSync(join(data, file), text);
    if (account !== undefined) chownSync(join(data, file), owner.uid, owner.gid);
  }
  appendFileSync(
    join(data, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=${hostname} port=${port} user=${username} password=${password}'\n`,
  );
  const cluster: Cluster = {
    binaries: prepareBinaries(findBinaries(), account, folder),
    account,
    folder,
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', hot_standby: 'on' },
  };
  const postmaster = await startCluster(cluster);
  const standby = new URL(primary.url);
  standby.port = String(postmaster.port);
  const url = standby.href;
  return {
    url,
    async promote() {
      await query(url, 'select pg_promote(true, 60)');
      await until('the standby is a primary', async () => {
        const [row] = await query(url, 'select pg_is_in_recovery() as standby');
        return row?.['standby'] === false;
      });
    },
    async stop() {
      await stopCluster(cluster);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export interface Switch {
  readonly url: string;
  /** From now on clients reach the server at `url`; open connections are closed. */
  pointAt(url: string): void;
  stop(): Promise<void>;
}

/** Listens on loopback in front of the server at `url`. */
export async function startSwitch(url: string): Promise<Switch> {
  let target = new URL(url);
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const backend = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [client, backend],
      [backend, client],
    ] as const) {
      open.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        open.delete(from);
        to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the switch has no port');
  const own = new URL(url);
  own.port = String(address.port);
  return {
    url: own.href,
    pointAt(next) {
      target = new URL(next);
      for (const socket of open) socket.destroy();
    },
    async stop() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
