// Owns the repeated proof of a completed backfill: one comparison with the independent recount. It follows
// the changes of its tail round as usual, so no change is lost. It reports differences and does not repair
// them.

import { readInventory } from '../../inventory/snapshot/index.js';
import { compareWithRecount, withoutSetAside } from '../../inventory/tail/index.js';
import { type Proof, proofOf, requestWalk, retryTargetOf } from '../closing/index.js';
import { followRound } from '../follow/index.js';
import { provideRuleset } from './backfill.js';
import type { BackfillContext } from './context.js';

export async function verifyBackfill(context: BackfillContext): Promise<Proof> {
  const { db, intake, runId } = context;
  const rulesetVersion = await provideRuleset(context);
  const stamp = { rulesetVersion, runId };
  let setAside = 0n;
  const comparison = await compareWithRecount(db, intake, {
    schema: db.schema,
    limitMs: db.statementTimeoutMs,
    reader: async (tx, map, options) => {
      const counted = await withoutSetAside(tx, map, await readInventory(tx, map, options));
      setAside = counted.births;
      return counted.inventory;
    },
    afterRound: async (tx, round) => {
      if (round.rows.length === 0 && !round.recomputed && round.rebased === null && !round.remapped) return;
      const { walkObjects } = await followRound(tx, retryTargetOf(context), round, {
        stamp: { ...stamp, at: round.at },
      });
      if (walkObjects) await requestWalk(tx, context.lease);
    },
  });
  return proofOf(comparison, new Set(), setAside);
}
