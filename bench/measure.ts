// Measures and prints for the benchmarks: medians of two sides in one run, with their ratio and the goal.

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** The value that a tenth of them stays below: other load on the machine lengthens the others. */
export function fastest(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 10)] ?? Number.NaN;
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

export interface Comparison {
  readonly what: string;
  readonly ms: number;
}

/** Prints one line per measurement and the ratio of the first to the second; returns the ratio. */
export function report(title: string, measured: Comparison, against: Comparison, goal: number): number {
  const ratio = measured.ms / against.ms;
  console.log(
    [
      `\n${title}`,
      `  ${measured.what}: ${measured.ms.toFixed(1)} ms`,
      `  ${against.what}: ${against.ms.toFixed(1)} ms`,
      `  ratio ${ratio.toFixed(2)}, goal ≤ ${goal}: ${ratio <= goal ? 'met' : 'MISSED'}`,
    ].join('\n'),
  );
  return ratio;
}
