// Evidence of acceptance tests (ids and counts). Only the report of `npm run acceptance` shows it.
import { TestRunner } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    evidence?: string[];
  }
}

/** Adds a line to the evidence of the running test. */
export function evidence(line: string): void {
  const test = TestRunner.getCurrentTest();
  if (test === undefined) throw new Error('evidence() is called outside a test');
  test.meta.evidence = [...(test.meta.evidence ?? []), line];
}

/** "1 group", "6 groups". */
export const some = (count: number | bigint, what: string): string =>
  `${count.toLocaleString('en-US')} ${what}${Number(count) === 1 ? '' : 's'}`;
