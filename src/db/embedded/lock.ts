// Owns the lock file under which the embedded server is created, started and stopped. It is a courtesy, not
// the last defence: the server's own postmaster.pid and the rename of a finished data directory are. A lock
// whose holder is dead is taken over, by one taker only.
import { mkdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { embeddedErrors } from './errors.js';
import { isSameProcess, type ProcessIdentity, thisProcess } from './process.js';

const POLL_MS = 25;
/** Removing a dead holder's lock is three system calls; a remover that takes longer is dead too. */
const TAKEOVER_LIMIT_MS = 10_000;

function isCode(error: unknown, code: string): boolean {
  return (error as NodeJS.ErrnoException).code === code;
}

function tryAcquire(path: string): boolean {
  try {
    writeFileSync(path, JSON.stringify(thisProcess()), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/** The holder; undefined when the lock is free; null while a holder is between creating and writing the file. */
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

/** A holder that died before it wrote its name is recognised by age alone. */
function isAbandoned(path: string, holder: ProcessIdentity | null): boolean {
  if (holder !== null) return !isSameProcess(holder);
  try {
    return Date.now() - statSync(path).mtimeMs > TAKEOVER_LIMIT_MS;
  } catch {
    return false;
  }
}

/** Removes an abandoned lock. The directory makes sure that a new holder's lock is not removed by a second taker. */
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
  /** Aborting it ends the waiting; work that has begun is not disturbed. */
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
