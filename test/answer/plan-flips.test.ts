// What a plan says would flip is what flips, exactly, when the ruleset is put into force and everything is scanned: verdicts, outcomes,
// terms of the ledger, and open findings, after random changes of rules and of the host. What failed once is kept in seeds/plan-flips.json.
import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asHost } from '../support/database.js';
import { createEstate, type Estate } from '../support/estate.js';
import {
  areOfRules,
  EDIT_KINDS,
  type Edit,
  editRules,
  flipsBetween,
  flipsOf,
  readFlippable,
  readGate,
} from '../support/flips.js';

/** More of them, from another seed: `GCOS_FLIP_RUNS=60 GCOS_FLIP_SEED=11 npx vitest run test/answer/plan-flips.test.ts`. */
const RUNS = Number(process.env['GCOS_FLIP_RUNS'] ?? 2);

describe('what a plan says would flip', () => {
  let estate: Estate;
  beforeAll(async () => {
    estate = await createEstate('backfilled');
    await estate.gcos.scans.run({ mode: 'full' });
  });
  afterAll(() => estate?.close());

  const now = async () =>
    (await asHost(estate.url, 'select clock_timestamp()::text as at'))[0]?.['at'] as string;

  /** Whether the host has changed since everything was last scanned. */
  let isMoved = false;

  async function expectForeseen(edits: readonly Edit[]): Promise<number> {
    const { gcos, url } = estate;
    await editRules(url, edits);
    isMoved ||= !areOfRules(edits);
    if ((await gcos.rulesets.draft({ dryRun: true })).status === 'active') return 0;
    const { code, plan } = await gcos.plans.propose({ as: 'member-1' });
    const before = await readFlippable(url, plan.at);
    const gateBefore = await readGate(estate);
    for (const as of ['president', 'council-1', 'council-2']) await gcos.requests.approve(code, { as });
    await gcos.plans.activate(plan.to, code, { as: 'operator' });
    await gcos.scans.run({ mode: 'full' });
    const after = await readFlippable(url, await now());
    // What is new or gone has no answer to flip.
    const answers = flipsBetween(gateBefore, await readGate(estate)).filter(
      (line) => !/: - →|→ -$/.test(line),
    );
    expect(flipsOf(plan.flips)).toEqual([...flipsBetween(before, after), ...answers].sort());
    const { verdicts, outcomes, findings, gates } = plan.flips;
    const all = [...verdicts, ...outcomes, ...findings, ...gates];
    if (!isMoved) expect(all.filter((each) => !each.bound)).toEqual([]);
    isMoved = false;
    return verdicts.length;
  }

  it(
    'is what flips, after every change that is kept, and then random ones',
    async () => {
      const kept = JSON.parse(
        await readFile(new URL('./seeds/plan-flips.json', import.meta.url), 'utf8'),
      ) as readonly { readonly edits: readonly Edit[] }[];
      let flipped = 0;
      for (const { edits } of kept) flipped += await expectForeseen(edits);
      const edit = fc.tuple(fc.constantFrom(...EDIT_KINDS), fc.nat(10_000));
      await fc.assert(
        fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 3 }), async (edits) => {
          flipped += await expectForeseen(edits);
        }),
        {
          seed: Number(process.env['GCOS_FLIP_SEED'] ?? 8),
          numRuns: RUNS,
          // What was changed before a failure is part of it: nothing is shortened.
          endOnFailure: true,
        },
      );
      expect(flipped).toBeGreaterThan(0);
    },
    RUNS * 30_000,
  );
});
