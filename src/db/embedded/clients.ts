// Owns the list of those who use the embedded server: one file per use, left behind only by a kill.
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSameProcess, type ProcessIdentity, thisProcess } from './process.js';

const ENDING = '.json';

/** Written beside and renamed: another process never reads an empty file and takes it for a dead client's. */
export function enter(folder: string, client: string): void {
  const partial = join(folder, `${client}.new`);
  writeFileSync(partial, JSON.stringify(thisProcess()));
  renameSync(partial, join(folder, client + ENDING));
}

export function leave(folder: string, client: string): void {
  rmSync(join(folder, client + ENDING), { force: true });
}

/** The process ids of all other uses that are alive. Files of processes that are gone are removed on the way. */
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

/** Someone who may only look, such as `gcos db status` for another user, leaves the file where it is. */
function removeFile(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // Not ours to remove; its process is dead all the same.
  }
}

function readIdentity(path: string): ProcessIdentity | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as ProcessIdentity;
  } catch {
    return undefined;
  }
}
