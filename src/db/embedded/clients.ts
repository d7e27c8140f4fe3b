// Owns the list of clients of the embedded server: one file per client. A file remains only if its process is
// killed.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../../kernel/index.js';
import { isSameProcess, type ProcessIdentity, thisProcess } from './process.js';

const ENDING = '.json';

export function enter(folder: string, client: string): void {
  replaceFile(join(folder, client + ENDING), JSON.stringify(thisProcess()));
}

export function leave(folder: string, client: string): void {
  rmSync(join(folder, client + ENDING), { force: true });
}

/** The process ids of all other live clients. Removes the files of processes that have ended. */
export function others(folder: string, client: string): readonly number[] {
  const pids: number[] = [];
  for (const name of namesIn(folder)) {
    if (name === client + ENDING || !name.endsWith(ENDING)) continue;
    const identity = readIdentity(join(folder, name));
    if (identity === undefined) continue;
    if (isSameProcess(identity)) pids.push(identity.pid);
    else removeFile(join(folder, name));
  }
  return pids;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/**
 * A caller without write permission, such as `gcos db status` run by another user, leaves the file in place.
 */
function removeFile(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // No permission to remove it. Its process has ended, so the file does not count as a client.
  }
}

function readIdentity(path: string): ProcessIdentity | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as ProcessIdentity;
  } catch {
    return undefined;
  }
}
