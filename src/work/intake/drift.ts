// Owns the consequences of rule drift, when the rules in the tables differ from the active ruleset: a
// finding, and dirty marks on all groups that the difference affects, before and after. Nothing is evaluated
// under drifted rules; the marks stay until an authorised user activates a ruleset.
import type { Transaction } from '../../db/index.js';
import { type FindingContext, type Transitions, writeFindings } from '../../record/finding/index.js';
import { contentOf, type Drift, reachOfChanges, readContent } from '../../rule/ruleset/index.js';
import { markDirty } from '../../verdict/candidate/index.js';
import { type Facts, whereOf } from './facts.js';

const TYPE = 'ruleset_drift';
/** The same reason as for a policy change, which drift is. */
const REASON = 'policy';

async function reachOfDrift(tx: Transaction, drift: Drift): Promise<readonly Facts[]> {
  if (drift.active === null) return [];
  const [before, after] = [await contentOf(tx, drift.active), await readContent(tx, drift.family)];
  return reachOfChanges(drift.changes, before, after).flatMap((reach): readonly Facts[] =>
    reach.everything
      ? [{ everything: true }]
      : reach.constraints.map(({ scope, axisFamily, sourceRegistry, classPattern }) => ({
          ...(scope === null ? {} : { scope }),
          ...(axisFamily === null ? {} : { axisFamily }),
          ...(sourceRegistry === null ? {} : { collection: sourceRegistry }),
          ...(classPattern === null ? {} : { objectClass: classPattern }),
        })),
  );
}

/** Marks the affected groups; returns how many were not dirty before. */
export async function markDrift(tx: Transaction, drift: Drift, at: string): Promise<number> {
  if (!drift.drifted) return 0;
  const facts = await reachOfDrift(tx, drift);
  let dirtied = 0;
  for (const where of whereOf(facts, ['object_class', 'source_registry', 'axis_family', 'scope']))
    dirtied += (await markDirty(tx, { reason: REASON, at, where })).groups.length;
  return dirtied;
}

/** Raises or resolves the finding. */
export function syncDriftFinding(
  tx: Transaction,
  drift: Drift,
  context: Omit<FindingContext, 'evaluated'>,
): Promise<Transitions> {
  return writeFindings(tx, drift.observations, {
    ...context,
    evaluated: { types: [TYPE], subjects: [drift.family] },
  });
}
