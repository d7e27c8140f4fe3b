// A streaming standby of a test server, which can be promoted.
import { execFileSync } from 'node:child_process';
import { appendFileSync, chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { serverAccount } from '../src/db/embedded/account.js';
import { findBinaries, prepareBinaries } from '../src/db/embedded/binaries.js';
import { type Cluster, startCluster, stopCluster } from '../src/db/embedded/cluster.js';
import { SERVER_SETTINGS } from '../test/support/server.js';
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
    settings: { ...SERVER_SETTINGS, hot_standby: 'on' },
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
