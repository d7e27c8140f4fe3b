// Owns the list of processes that use the embedded server: one file per process, left behind only by a kill.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSameProcess, type ProcessIdentity, thisProcess } from './process.js';

const fileOf = (folder: string, pid: number): string => join(folder, `${pid}.json`);

export function enter(folder: string): void {
  writeFileSync(fileOf(folder, process.pid), JSON.stringify(thisProcess()));
}

export function leave(folder: string): void {
  rmSync(fileOf(folder, process.pid), { force: true });
}

/** The other processes still using the server. Files of processes that are gone are removed on the way. */
export function others(folder: string): readonly number[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  const pids: number[] = [];
  for (const name of names) {
    const identity = readIdentity(join(folder, name));
    if (identity?.pid === process.pid) continue;
    if (identity !== undefined && isSameProcess(identity)) pids.push(identity.pid);
    else rmSync(join(folder, name), { force: true });
  }
  return pids;
}

function readIdentity(path: string): ProcessIdentity | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as ProcessIdentity;
  } catch {
    return undefined;
  }
}
