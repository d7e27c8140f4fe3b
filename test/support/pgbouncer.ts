// A real PgBouncer in transaction mode, where it is installed. Its few server processes are shared by all
// clients, so that consecutive transactions of one client reach different ones.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { serverAccount } from '../../src/db/embedded/account.js';
import { ROLE_PASSWORD } from './database.js';
import { until } from './wait.js';

/** Debian installs it where an ordinary user's PATH does not lead. */
const PROGRAM = ['pgbouncer', '/usr/sbin/pgbouncer'].find(
  (each) => spawnSync(each, ['--version'], { stdio: 'ignore' }).status === 0,
);

export const hasPgBouncer = PROGRAM !== undefined;

export interface PgBouncer {
  /** The URL of the database behind PgBouncer. */
  readonly url: string;
  stop(): Promise<void>;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function settings(target: URL, port: number, folder: string, poolSize: number): string {
  return [
    '[databases]',
    `* = host=${target.hostname} port=${target.port}`,
    '[pgbouncer]',
    'pool_mode = transaction',
    `default_pool_size = ${poolSize}`,
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = scram-sha-256',
    `auth_file = ${join(folder, 'users.txt')}`,
    'max_client_conn = 200',
    `admin_users = ${target.username}`,
    '',
  ].join('\n');
}

/** Starts PgBouncer before the server at `url`, for its user and the login roles of GCOS. */
export async function startPgBouncer(url: string, options: { poolSize?: number } = {}): Promise<PgBouncer> {
  if (PROGRAM === undefined) throw new Error('PgBouncer is not installed');
  const target = new URL(url);
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'gcos-pgbouncer-'));
  const users = [
    [decodeURIComponent(target.username), decodeURIComponent(target.password)],
    ...['worker', 'api', 'server', 'reader', 'pruner'].map((role) => [`gcos_${role}`, ROLE_PASSWORD]),
  ];
  const files = {
    'pgbouncer.ini': settings(target, port, folder, options.poolSize ?? 3),
    'users.txt': users.map(([name, password]) => `"${name}" "${password}"\n`).join(''),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  // It refuses to run as root.
  const account = serverAccount(undefined);
  if (account !== undefined)
    for (const path of [folder, ...Object.keys(files).map((name) => join(folder, name))])
      chownSync(path, account.uid, account.gid);
  const child: ChildProcess = spawn(PROGRAM, [join(folder, 'pgbouncer.ini')], {
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(account === undefined ? {} : { uid: account.uid, gid: account.gid }),
  });
  let log = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
  const pooled = new URL(url);
  pooled.port = String(port);
  await until('PgBouncer forwards to the server', async () => {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended: ${log}`);
    const client = new pg.Client({ connectionString: pooled.href });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.end();
      return true;
    } catch {
      return false;
    }
  });
  return {
    url: pooled.href,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
