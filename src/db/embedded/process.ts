// Owns the identity of processes: a process id alone is not enough, because the system reuses ids.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A process id with the start time of the process, in the unit of the platform. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly started: string;
}

/** Whether any process has this id. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** When the process started; undefined if it does not exist. */
function startOf(pid: number): string | undefined {
  if (process.platform === 'linux') {
    try {
      // The command name in parentheses may contain any character, so count the fields after it. Field 22 is
      // the start time.
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      // A zombie has ended; its parent has not collected its status yet.
      return fields[0] === 'Z' ? undefined : fields[19];
    } catch {
      return undefined;
    }
  }
  const shown = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' });
  return shown.stdout?.trim() || undefined;
}

/**
 * The command line of a process. It distinguishes a postmaster from an unrelated process that reuses its id.
 */
export function commandOf(pid: number): string {
  if (process.platform === 'linux') {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    } catch {
      return '';
    }
  }
  return spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? '';
}

export function thisProcess(): ProcessIdentity {
  return { pid: process.pid, started: startOf(process.pid) ?? '' };
}

export function isSameProcess(identity: ProcessIdentity): boolean {
  return isAlive(identity.pid) && startOf(identity.pid) === identity.started;
}
