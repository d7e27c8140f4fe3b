// Runs a command of the built product in a process of its own, and measures its time and its peak memory.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mainFile } from '../test/support/cli.js';

export interface MeasuredProcess {
  readonly exit: number | null;
  readonly ms: number;
  /** The peak of the resident memory. Undefined where the system does not report it. */
  readonly peakMb: number | undefined;
  /** What the command wrote to its error stream, for a message about a failure. */
  readonly errors: string;
}

/** The processor time that the process has used, in ms; Linux only. */
export function processorMs(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}

/** How often the peak is read; the last reading misses at most this much of the end. */
const EVERY_MS = 20;

export async function measureGcos(...args: readonly string[]): Promise<MeasuredProcess> {
  const started = performance.now();
  const child = spawn(process.execPath, [mainFile, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  let peakKb = 0;
  const watch = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      peakKb = Math.max(peakKb, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0));
    } catch {
      // The process has ended, or the system has no /proc.
    }
  }, EVERY_MS);
  const exit = await new Promise<number | null>((resolve) => child.on('close', resolve));
  clearInterval(watch);
  return {
    exit,
    ms: performance.now() - started,
    peakMb: peakKb === 0 ? undefined : peakKb / 1024,
    errors,
  };
}
