// Incremental scans give the same result as a computation from scratch. After any history of births,
// retirements, moves, deletions, changes of owners and rules, expiries and crashes, intake and incremental
// scans produce the same verdicts, outcomes, terms, input hashes and open findings as a first backfill and a
// full scan.
import { afterAll, beforeAll, inject } from 'vitest';
import { type Comparison, expectEqual, openComparison } from '../support/comparison.js';
import { histories, isHistory } from '../support/history.js';
import { holds } from '../support/property.js';

let comparison: Comparison;
beforeAll(async () => {
  comparison = await openComparison(inject('serverUrl'));
});
afterAll(() => comparison?.close());

holds('incremental scans give the same result as a computation from scratch', {
  cases: histories(30),
  check: (steps) => expectEqual(comparison, steps),
  seeds: [26, 2_026],
  runs: 1,
  kept: new URL('./seeds/scan.json', import.meta.url),
  isCase: isHistory,
  // One joined case, because the computation from scratch takes most of the time.
  join: (kept) => kept.flat(),
});
