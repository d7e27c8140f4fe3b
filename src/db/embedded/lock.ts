// Owns the lock file that a command holds while it creates, starts or stops the embedded server. The lock
// avoids conflicts; safety does not depend on it, but on the server's own postmaster.pid and on the rename of
// a complete data directory. If the holder of a lock has died, exactly one other process takes the lock over.
import { mkdirSync, readFileSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { createFile } from '../../kernel/index.js';
import { embeddedErrors } from './errors.js';
import { isSameProcess, type ProcessIdentity, thisProcess } from './process.js';

const POLL_MS = 25;
/**
 * Removing an abandoned lock takes three system calls; a process that takes longer than this has died too.
 */
const TAKEOVER_LIMIT_MS = 10_000;

function isCode(error: unknown, code: string): boolean {
  return (error as NodeJS.ErrnoException).code === code;
}

function tryAcquire(path: string): boolean {
  try {
    createFile(path, JSON.stringify(thisProcess()), 0o600);
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/**
 * The holder; undefined if the lock is free; null while the holder has created the file but not written it.
 */
function holderOf(path: string): ProcessIdentity | null | undefined {
  try {
    const text = readFileSync(path, 'utf8');
    return text === '' ? null : (JSON.parse(text) as ProcessIdentity);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** The age of the file is the only sign of a holder that died before it wrote its identity. */
function isAbandoned(path: string, holder: ProcessIdentity | null): boolean {
  if (holder !== null) return !isSameProcess(holder);
  try {
    return Date.now() - statSync(path).mtimeMs > TAKEOVER_LIMIT_MS;
  } catch {
    return false;
  }
}

/**
 * Removes an abandoned lock. The takeover directory prevents a second process from removing a new holder's
 * lock.
 */
function removeAbandoned(path: string): void {
  const takeover = `${path}.takeover`;
  try {
    mkdirSync(takeover);
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
    try {
      if (Date.now() - statSync(takeover).mtimeMs > TAKEOVER_LIMIT_MS) rmdirSync(takeover);
    } catch (gone) {
      if (!isCode(gone, 'ENOENT')) throw gone;
    }
    return;
  }
  try {
    const holder = holderOf(path);
    if (holder !== undefined && isAbandoned(path, holder)) rmSync(path, { force: true });
  } finally {
    rmdirSync(takeover);
  }
}

export interface LockOptions {
  readonly timeoutMs: number;
  /** Aborting it ends the wait for the lock; it does not interrupt work that has started. */
  readonly signal: AbortSignal | undefined;
}

/** Runs `work` while holding the lock at `path`. */
export async function withLock<T>(path: string, options: LockOptions, work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + options.timeoutMs;
  while (!tryAcquire(path)) {
    options.signal?.throwIfAborted();
    const holder = holderOf(path);
    if (holder !== undefined && isAbandoned(path, holder)) removeAbandoned(path);
    else if (Date.now() > deadline) {
      throw embeddedErrors.embedded_lock_timeout(`process ${holder?.pid ?? '?'} holds \`${path}\``);
    } else await pause(POLL_MS);
  }
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}
