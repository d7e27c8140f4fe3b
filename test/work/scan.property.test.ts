// Incremental is the same as from scratch: after any history of births, retirements, moves, deletions, changes of owners and rules, expiries and
// crashes, intake and incremental scans come to the verdicts, outcomes, terms, input hashes and open findings that a first backfill
// and a full scan derive from nothing.
import { afterAll, beforeAll, inject } from 'vitest';
import { type Comparison, expectEqual, openComparison } from '../support/comparison.js';
import { histories, isHistory } from '../support/history.js';
import { holds } from '../support/property.js';

let comparison: Comparison;
beforeAll(async () => {
  comparison = await openComparison(inject('serverUrl'));
});
afterAll(() => comparison?.close());

holds('scans step by step leave what follows from nothing', {
  cases: histories(30),
  check: (steps) => expectEqual(comparison, steps),
  seeds: [26, 40, 2_026],
  runs: 1,
  kept: new URL('./seeds/scan.json', import.meta.url),
  isCase: isHistory,
  // Deriving everything from nothing is what takes time.
  join: (kept) => kept.flat(),
});
