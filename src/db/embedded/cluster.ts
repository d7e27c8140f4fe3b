// Owns the PostgreSQL cluster: creates its data directory, starts and stops its postmaster. Clients, locks
// and the decision to stop belong to the callers.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createFile, ensureFile, replaceFile } from '../../kernel/index.js';
import { type Account, asAccount } from './account.js';
import type { Binaries } from './binaries.js';
import { embeddedErrors } from './errors.js';
import { commandOf, isAlive } from './process.js';

export interface Cluster {
  readonly binaries: Binaries;
  readonly account: Account | undefined;
  /** Owned by the account; contains `data` and `server.log`. */
  readonly folder: string;
  readonly settings: Readonly<Record<string, string>>;
}

export interface Postmaster {
  readonly pid: number;
  readonly port: number;
}

/** Settings of the embedded server. Tests of the tail need prepared transactions and logical decoding. */
const DEFAULT_SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  max_prepared_transactions: '64',
  wal_level: 'logical',
  shared_buffers: '256MB',
  max_wal_size: '2GB',
  cluster_name: 'gcos',
};

/** After a kill, processes of the old server may keep its shared memory for several seconds. */
const START_PATIENCE_MS = 10_000;
/** No process has this id. Written into a pid file, it makes PostgreSQL treat the file as stale. */
const UNUSED_PID = 2_147_483_646;

const dataOf = (cluster: Cluster): string => join(cluster.folder, 'data');
export const logOf = (cluster: Cluster): string => join(cluster.folder, 'server.log');
export const hasData = (cluster: Cluster): boolean => existsSync(join(dataOf(cluster), 'PG_VERSION'));

async function runProgram(
  cluster: Cluster,
  program: string,
  args: readonly string[],
): Promise<{ status: number; output: string }> {
  const { PATH, LANG } = process.env;
  const child = spawn(join(cluster.binaries.root, 'bin', program), args, {
    // A postmaster must not inherit PG* variables or the caller's working directory.
    cwd: cluster.folder,
    env: { PATH, LANG, LC_ALL: 'C', HOME: cluster.folder },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(cluster.account === undefined ? {} : { uid: cluster.account.uid, gid: cluster.account.gid }),
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  // Wait for the program, not for its streams: a postmaster started by pg_ctl may keep them open.
  const status = await new Promise<number>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
  return { status, output };
}

/**
 * Creates the data directory under a temporary name and renames it, so that no process sees an incomplete
 * cluster.
 */
export async function createCluster(cluster: Cluster, superuser: string, password: string): Promise<void> {
  const partial = `${dataOf(cluster)}.partial`;
  const passwordFile = join(cluster.folder, '.password');
  const clear = () => {
    rmSync(partial, { recursive: true, force: true });
    rmSync(passwordFile, { force: true });
  };
  asAccount(cluster.account, () => {
    // An interrupted run may have left these files. The caller holds the lock, so no other process uses them.
    clear();
    createFile(passwordFile, `${password}\n`, 0o600);
  });
  // The builtin provider sorts the same on every machine; it exists since version 17.
  const locale =
    Number.parseInt(cluster.binaries.version, 10) >= 17
      ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
      : ['--locale=C'];
  try {
    const made = await runProgram(cluster, 'initdb', [
      ...[
        '-D',
        partial,
        '-U',
        superuser,
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--no-sync',
      ],
      ...locale,
    ]);
    if (made.status !== 0)
      throw embeddedErrors.embedded_start_failed(`initdb failed: ${lastLines(made.output)}`);
    asAccount(cluster.account, () => renameSync(partial, dataOf(cluster)));
  } finally {
    asAccount(cluster.account, clear);
  }
}

export function removeData(cluster: Cluster): void {
  asAccount(cluster.account, () => rmSync(dataOf(cluster), { recursive: true, force: true }));
}

/** The running postmaster of this cluster according to its pid file; undefined if none runs. */
export function runningPostmaster(cluster: Cluster): Postmaster | undefined {
  const file = readPidFile(cluster);
  return file !== undefined && isOurs(cluster, file.pid) ? file : undefined;
}

/**
 * Whether the process is the postmaster of this data directory. INVARIANT: only an exact match counts,
 * because the system reuses process ids and `pg_ctl stop` signals any process that the pid file names.
 */
function isOurs(cluster: Cluster, pid: number): boolean {
  const command = commandOf(pid);
  return isAlive(pid) && /(^|\/)postgres /.test(command) && `${command} `.includes(` -D ${dataOf(cluster)} `);
}

function readPidFile(cluster: Cluster): Postmaster | undefined {
  try {
    const lines = readFileSync(join(dataOf(cluster), 'postmaster.pid'), 'utf8').split('\n');
    const [pid, port] = [Number(lines[0]), Number(lines[3])];
    return pid > 0 && port > 0 ? { pid, port } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Makes a stale pid file harmless: if its pid now belongs to an unrelated process, the server would not
 * start.
 */
function disownStalePidFile(cluster: Cluster): void {
  const file = readPidFile(cluster);
  if (file === undefined || !isAlive(file.pid) || isOurs(cluster, file.pid)) return;
  const path = join(dataOf(cluster), 'postmaster.pid');
  const [, ...rest] = readFileSync(path, 'utf8').split('\n');
  asAccount(cluster.account, () => replaceFile(path, [UNUSED_PID, ...rest].join('\n'), 0o600));
}

async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        address !== null && typeof address === 'object'
          ? resolve(address.port)
          : reject(new Error('no port')),
      );
    });
  });
}

/** Starts the postmaster on a free loopback port and waits until it accepts connections. */
export async function startCluster(cluster: Cluster): Promise<Postmaster> {
  const deadline = Date.now() + START_PATIENCE_MS;
  // The server appends to its log through a shell, which would follow a link.
  asAccount(cluster.account, () => ensureFile(logOf(cluster), 0o600));
  for (;;) {
    disownStalePidFile(cluster);
    const port = await freePort();
    const settings = Object.entries({ ...DEFAULT_SETTINGS, ...cluster.settings, port: String(port) });
    const options = settings.map(([name, value]) => `-c ${name}=${value}`).join(' ');
    const started = await runProgram(cluster, 'pg_ctl', [
      'start',
      '-D',
      dataOf(cluster),
      '-w',
      '-t',
      '60',
      '-l',
      logOf(cluster),
      '-o',
      options,
    ]);
    const postmaster = runningPostmaster(cluster);
    if (started.status === 0 && postmaster !== undefined) return postmaster;
    if (Date.now() > deadline) {
      throw embeddedErrors.embedded_start_failed(
        `${lastLines(readLog(cluster) || started.output)}; log: \`${logOf(cluster)}\``,
      );
    }
    await pause(200);
  }
}

/** Stops the postmaster; open connections are ended and their transactions rolled back. */
export async function stopCluster(cluster: Cluster): Promise<void> {
  if (runningPostmaster(cluster) === undefined) return;
  const stopped = await runProgram(cluster, 'pg_ctl', [
    'stop',
    '-D',
    dataOf(cluster),
    '-w',
    '-t',
    '30',
    '-m',
    'fast',
  ]);
  if (stopped.status !== 0 && runningPostmaster(cluster) !== undefined) {
    await runProgram(cluster, 'pg_ctl', ['stop', '-D', dataOf(cluster), '-w', '-t', '10', '-m', 'immediate']);
  }
}

function readLog(cluster: Cluster): string {
  try {
    return asAccount(cluster.account, () => readFileSync(logOf(cluster), 'utf8'));
  } catch {
    return '';
  }
}

function lastLines(text: string): string {
  return text.trim().split('\n').slice(-3).join(' | ');
}
