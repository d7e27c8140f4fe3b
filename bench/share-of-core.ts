// Measures the processor time of a server and of a worker process; Linux only.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { processorMs } from './measured-process.js';

/** The processor time of the server so far: of its processes, and of those that have ended. */
export function serverMs(folder: string): number {
  const postmaster = readFileSync(join(folder, 'data/postmaster.pid'), 'utf8').split('\n')[0];
  let ticks = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      if (pid === postmaster)
        ticks += Number(stat[11]) + Number(stat[12]) + Number(stat[13]) + Number(stat[14]);
      else if (stat[1] === postmaster) ticks += Number(stat[11]) + Number(stat[12]);
    } catch {
      // The process has ended since.
    }
  }
  return ticks * 10;
}

/** The share of a core, in per cent, that the server and the worker use while `work` runs. */
export async function shareOfCore(
  folder: string,
  pid: number,
  work: () => Promise<unknown>,
): Promise<number> {
  const before = serverMs(folder) + processorMs(pid);
  const started = performance.now();
  await work();
  const used = serverMs(folder) + processorMs(pid) - before;
  return (100 * used) / (performance.now() - started);
}
