// Moves the transaction counter of a server, and starts a new timeline. The embedded binaries have no
// pg_resetwal, so this module rewrites the last checkpoint of a cleanly stopped server, in pg_control and in
// the WAL, with both checksums. Only for a server that belongs to one test.
import { spawnSync } from 'node:child_process';
import { appendFileSync, chownSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Binaries } from '../../src/db/index.js';
import { asHost } from './database.js';
import type { TestServer } from './server.js';
import { until } from './wait.js';

const TABLE = Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  return crc >>> 0;
});
/** CRC-32C over the concatenated pieces, as the server computes it. */
function crcOf(...pieces: readonly Buffer[]): number {
  let crc = 0xffffffff;
  for (const piece of pieces)
    for (const byte of piece) crc = ((crc >>> 8) ^ (TABLE[(crc ^ byte) & 0xff] ?? 0)) >>> 0;
  return (crc ^ 0xffffffff) >>> 0;
}

// Offsets in PostgreSQL 15 to 18. In pg_control: 32 bytes, the WAL location of the checkpoint, a copy of it.
const CHECKPOINT_PLACE = 32;
const COPY = 40;
const NEXT_XID = 24;
const RECORD_HEADER = 24;
const RECORD_CRC = 20;
const SEGMENT = 16n * 1024n * 1024n;
const PAGE = 8_192n;
/** Transactions per page of pg_xact. The server creates a page for the first transaction on it. */
export const XIDS_PER_PAGE = 32_768n;

function writeBack(path: string, bytes: Buffer): void {
  // Writes in place, so that the file keeps its owner.
  writeFileSync(path, bytes, { flag: 'r+' });
}

/**
 * Makes `next` the next transaction of the stopped server in `data`; `next` must be the first of a page of
 * pg_xact. Returns false if the checkpoint record crosses a page of the WAL: then the server must write a new
 * checkpoint.
 */
function rewriteCheckpoint(data: string, next: bigint): boolean {
  if (next % XIDS_PER_PAGE !== 0n) throw new Error('not the first transaction of a page');
  const controlPath = join(data, 'global/pg_control');
  const control = readFileSync(controlPath);
  const place = control.readBigUInt64LE(CHECKPOINT_PLACE);
  const name = [1n, place / (SEGMENT * 256n), (place / SEGMENT) % 256n]
    .map((part) => part.toString(16).toUpperCase().padStart(8, '0'))
    .join('');
  const logPath = join(data, 'pg_wal', name);
  const log = readFileSync(logPath);
  const start = Number(place % SEGMENT);
  const length = log.readUInt32LE(start);
  if (BigInt(start) / PAGE !== BigInt(start + length - 1) / PAGE) return false;
  const record = log.subarray(start, start + length);
  const body = () => crcOf(record.subarray(RECORD_HEADER), record.subarray(0, RECORD_CRC));
  if (record.readUInt32LE(RECORD_CRC) !== body()) throw new Error('no checkpoint record at its WAL location');
  const size = length - RECORD_HEADER - 2;
  const checkpoint = record.subarray(RECORD_HEADER + 2);
  if (!checkpoint.equals(control.subarray(COPY, COPY + size))) throw new Error('the checkpoints differ');
  let end = COPY + size;
  while (control.readUInt32LE(end) !== crcOf(control.subarray(0, end))) end += 4;
  checkpoint.writeBigUInt64LE(next, NEXT_XID);
  record.writeUInt32LE(body(), RECORD_CRC);
  control.writeBigUInt64LE(next, COPY + NEXT_XID);
  control.writeUInt32LE(crcOf(control.subarray(0, end)), end);
  writeBack(logPath, log);
  writeBack(controlPath, control);
  return true;
}

function control(server: TestServer, binaries: Binaries, args: readonly string[]): void {
  const { folder } = server;
  const data = join(folder, 'data');
  const { uid, gid } = statSync(data);
  const account = process.getuid?.() === 0 ? { uid, gid } : {};
  const done = spawnSync(
    join(binaries.root, 'bin/pg_ctl'),
    [...args, '-D', data, '-w', '-l', join(folder, 'server.log')],
    {
      ...account,
      cwd: folder,
      stdio: 'ignore',
    },
  );
  if (done.status !== 0)
    throw new Error(`pg_ctl ${args[0]}: ${readFileSync(join(folder, 'server.log'), 'utf8').slice(-2_000)}`);
}

/** Stops the server, runs `work` on its data directory, and starts the server again with the same options. */
function whileStopped(server: TestServer, binaries: Binaries, work: (data: string) => void): void {
  const data = join(server.folder, 'data');
  const options = [...readFileSync(join(data, 'postmaster.opts'), 'utf8').matchAll(/"-c" "([^"]+)"/g)]
    .map((match) => `-c ${match[1]}`)
    .join(' ');
  control(server, binaries, ['stop', '-m', 'fast']);
  work(data);
  control(server, binaries, ['start', '-o', options]);
}

export function restartServer(server: TestServer, binaries: Binaries, mode: 'fast' | 'immediate'): void {
  control(server, binaries, ['restart', '-m', mode]);
}

export function moveCounter(server: TestServer, binaries: Binaries, next: bigint): void {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    let moved = false;
    // Every stop writes a new checkpoint at a later WAL location.
    whileStopped(server, binaries, (data) => {
      moved = rewriteCheckpoint(data, next);
    });
    if (moved) return;
  }
  throw new Error('the checkpoint crosses a page every time');
}

/** Starts the server as after a restore: it recovers from its own WAL and is promoted to a new timeline. */
export async function promoteServer(server: TestServer, binaries: Binaries): Promise<void> {
  whileStopped(server, binaries, (data) => {
    const { uid, gid } = statSync(data);
    const signal = join(data, 'recovery.signal');
    writeFileSync(signal, '');
    chownSync(signal, uid, gid);
    appendFileSync(join(data, 'postgresql.auto.conf'), "restore_command = 'false'\n");
  });
  // It answers, as a standby, before it has recovered.
  await until('the server is promoted', async () => {
    const [row] = await asHost(server.url, 'select pg_is_in_recovery() as recovers');
    return row?.['recovers'] === false;
  });
}
