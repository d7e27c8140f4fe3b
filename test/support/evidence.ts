// What an acceptance test saw, for the report of `npm run acceptance`: ids and counts, in a few words. Elsewhere it is not shown.
import { TestRunner } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    evidence?: string[];
  }
}

/** Adds to what the running test shows. */
export function evidence(seen: string): void {
  const test = TestRunner.getCurrentTest();
  if (test === undefined) throw new Error('evidence is given inside a test');
  test.meta.evidence = [...(test.meta.evidence ?? []), seen];
}

/** "1 group", "6 groups". */
export const some = (count: number | bigint, what: string): string =>
  `${count.toLocaleString('en-US')} ${what}${Number(count) === 1 ? '' : 's'}`;
