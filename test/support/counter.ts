// A server's transaction counter, moved by hand: the embedded binaries have no pg_resetwal, so the last checkpoint of a server that was
// shut down cleanly is rewritten, in pg_control and in the log, each with its checksum. For servers of one test, never for others.
import { spawnSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Binaries } from '../../src/db/index.js';
import type { TestServer } from './server.js';

const TABLE = Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  return crc >>> 0;
});
/** CRC-32C over several pieces, as the server computes it. */
function crcOf(...pieces: readonly Buffer[]): number {
  let crc = 0xffffffff;
  for (const piece of pieces)
    for (const byte of piece) crc = ((crc >>> 8) ^ (TABLE[(crc ^ byte) & 0xff] ?? 0)) >>> 0;
  return (crc ^ 0xffffffff) >>> 0;
}

// Where things are, in 15 to 18: the control file begins with 32 bytes, the place of the checkpoint, and a copy of it.
const CHECKPOINT_PLACE = 32;
const COPY = 40;
const NEXT_XID = 24;
const RECORD_HEADER = 24;
const RECORD_CRC = 20;
const SEGMENT = 16n * 1024n * 1024n;
const PAGE = 8_192n;
/** Transactions per page of their states: the first one of a page makes the page. */
export const XIDS_PER_PAGE = 32_768n;

function writeBack(path: string, bytes: Buffer): void {
  // In place, so that the file stays the server account's.
  writeFileSync(path, bytes, { flag: 'r+' });
}

/**
 * Makes `next` the next transaction of the stopped server in `data`; it must be the first of a page. False: the record of the
 * checkpoint crosses a page of the log, and is better written anew.
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
  if (record.readUInt32LE(RECORD_CRC) !== body()) throw new Error('the checkpoint is not where it should be');
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

/** Stops the server, lets `work` at its files, and starts it again as it was. */
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
    // Every stop writes a checkpoint, further on in the log than the one before.
    whileStopped(server, binaries, (data) => {
      moved = rewriteCheckpoint(data, next);
    });
    if (moved) return;
  }
  throw new Error('the checkpoint crosses a page every time');
}
