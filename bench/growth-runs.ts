// Shared by the benchmarks of growth: the times of each step by size, commands in processes of their own with
// a limit of memory, and the slowest statement of a server.
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { asHost } from '../test/support/database.js';
import { exponentOf, type Series } from './growth-plot.js';
import { measureGcos } from './measured-process.js';

/** No statement of GCOS may take longer. */
export const LIMIT_MS = 5_000;

export class Runs {
  readonly #times = new Map<string, { size: number; ms: number }[]>();
  readonly #mostMb: number;

  constructor(mostMb: number) {
    this.#mostMb = mostMb;
  }

  note(size: number, name: string, ms: number, more = ''): void {
    this.#times.set(name, [...(this.#times.get(name) ?? []), { size, ms }]);
    console.log(`  ${name.padEnd(44)} ${ms.toFixed(ms < 10 ? 1 : 0).padStart(9)} ms ${more}`);
  }

  /** A command in a process of its own; it must succeed within the limit of memory. */
  async command(url: string, size: number, name: string, ...args: readonly string[]): Promise<void> {
    const done = await measureGcos(...args, '--database-url', url);
    this.note(size, name, done.ms, `${done.peakMb?.toFixed(0) ?? '?'} MB`);
    expect(done.exit, `${name}: ${done.errors}`).toBe(0);
    // The other steps are measured all the same.
    expect.soft(done.peakMb ?? 0, `MB of ${name}`).toBeLessThan(this.#mostMb);
  }

  /** The last time of a step. */
  of(name: string): number {
    return this.#times.get(name)?.at(-1)?.ms ?? Number.NaN;
  }

  series(): readonly Series[] {
    return [...this.#times].map(([name, points]) => ({ name, points }));
  }

  printExponents(): void {
    for (const each of this.series().filter(({ points }) => points.length > 1))
      console.log(`  ${each.name.padEnd(44)} n^${exponentOf(each).toFixed(2)}`);
  }
}

/** The peak memory of a running process, in MB; 0 where the system does not report it. */
export function peakMbOf(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/**
 * Prints the slowest statement since the statistics began, and expects it within the limit. Detectors are
 * statements of the host, with a limit of their own; so is the `load` that the host inserts.
 */
export async function expectNoSlowStatement(url: string, load = 'insert into birth_registry'): Promise<void> {
  const [slowest] = await asHost(
    url,
    `select s.max_exec_time::float8 as ms, left(regexp_replace(s.query, '\\s+', ' ', 'g'), 110) as text
     from pg_stat_statements s
     where s.userid <> to_regrole('gcos_reader') and s.query !~* '^(vacuum|analyze|create extension|${load})'
     order by s.max_exec_time desc limit 1`,
  );
  console.log(`  slowest statement: ${Number(slowest?.['ms']).toFixed(0)} ms: ${String(slowest?.['text'])}`);
  expect(Number(slowest?.['ms'])).toBeLessThan(LIMIT_MS);
}
