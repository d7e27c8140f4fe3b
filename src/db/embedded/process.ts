// Owns telling whether a process we once knew is still the same process: ids are re-used.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Who a process is: its id and when it started, in whatever unit the platform gives. */
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

/** When the process started; undefined if there is none. */
function startOf(pid: number): string | undefined {
  if (process.platform === 'linux') {
    try {
      // The command name, in parentheses, may contain anything: count fields after its end. Start time is the 22nd.
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      // A zombie has ended; only its parent does not know yet.
      return fields[0] === 'Z' ? undefined : fields[19];
    } catch {
      return undefined;
    }
  }
  const shown = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' });
  return shown.stdout?.trim() || undefined;
}

/** The command line of a process, for telling a postmaster from an unrelated process with its old id. */
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
