// Incremental is the same as from scratch: after any history of births, retirements, moves, deletions, changes of owners and rules, expiries and
// crashes, intake and incremental scans come to the verdicts, outcomes, terms, input hashes and open findings that a first backfill
// and a full scan derive from nothing. A history that fails is shortened and printed with its seed; the shortest is kept in
// seeds/scan-fuzz.json. `npm run bench -- history` looks for more.
import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, inject, it } from 'vitest';
import { z } from 'zod';
import { type Comparison, expectEqual, openComparison } from '../support/comparison.js';
import { histories, isStep, type Step } from '../support/history.js';

const keptSchema = z.array(
  z.strictObject({
    /** Null: written by hand after another failure. */
    seed: z.int().nullable(),
    found: z.string(),
    steps: z.array(z.custom<Step>(isStep)),
  }),
);

let comparison: Comparison;
beforeAll(async () => {
  comparison = await openComparison(inject('serverUrl'));
});
afterAll(() => comparison.close());

it('after every history that failed once, and then a random one', async () => {
  const kept = keptSchema.parse(
    JSON.parse(await readFile(new URL('./seeds/scan-fuzz.json', import.meta.url), 'utf8')),
  );
  // In one estate: deriving everything from nothing is what takes time. If a kept history fails again, any other is shortened to one step.
  const before = kept.flatMap((each) => each.steps);
  await fc.assert(
    fc.asyncProperty(histories(30), (steps) => expectEqual(comparison, [...before, ...steps])),
    // Shortening takes a few seconds per attempt: what is shortest by then is printed.
    { seed: 26, numRuns: 1, interruptAfterTimeLimit: 50_000 },
  );
});
