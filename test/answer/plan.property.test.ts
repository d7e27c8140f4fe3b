// A plan previews exactly what flips after the activation and a full scan: verdicts, outcomes, terms of the
// ledger, answers of the gate and open findings, after random changes of rules and of the host.
import fc from 'fast-check';
import { expect } from 'vitest';
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
import { holds } from '../support/property.js';

/** Returns the number of flips. */
async function expectPreviewed(estate: Estate, edits: readonly Edit[]): Promise<number> {
  const { gcos, url } = estate;
  await editRules(url, edits);
  if ((await gcos.rulesets.draft({ dryRun: true })).status === 'active') return 0;
  const { code, plan } = await gcos.plans.propose({ as: 'member-1' });
  const before = await readFlippable(url, plan.at);
  const gateBefore = await readGate(estate);
  for (const as of ['president', 'council-1', 'council-2']) await gcos.requests.approve(code, { as });
  await gcos.plans.activate(plan.to, code, { as: 'operator' });
  await gcos.scans.run({ mode: 'full' });
  const [now] = await asHost(url, 'select clock_timestamp()::text as at');
  const after = await readFlippable(url, String(now?.['at']));
  // A new or removed object has no answer to flip.
  const answers = flipsBetween(gateBefore, await readGate(estate)).filter((line) => !/: - →|→ -$/.test(line));
  expect(flipsOf(plan.flips)).toEqual([...flipsBetween(before, after), ...answers].sort());
  const { verdicts, outcomes, findings, gates } = plan.flips;
  const all = [...verdicts, ...outcomes, ...findings, ...gates];
  if (areOfRules(edits)) expect(all.filter((each) => !each.bound)).toEqual([]);
  return all.length;
}

holds<readonly Edit[]>('a plan previews exactly what flips', {
  cases: fc.array(fc.tuple(fc.constantFrom(...EDIT_KINDS), fc.nat(10_000)), { minLength: 1, maxLength: 3 }),
  check: async (edits) => {
    const estate = await createEstate('scanned');
    try {
      return await expectPreviewed(estate, edits);
    } finally {
      await estate.close();
    }
  },
  seeds: [2_026],
  runs: 2,
  kept: new URL('./seeds/plan.json', import.meta.url),
});
