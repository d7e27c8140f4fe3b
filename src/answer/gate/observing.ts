// Owns the list of stages that only observe under the active ruleset; status shows them until a ruleset
// enforces them.
import type { Transaction } from '../../db/index.js';
import { readObserving } from './gate.sql.js';
import type { Stage } from './question.js';

export interface ObservedStage {
  readonly stage: Stage;
  /** Since the activation of the ruleset. */
  readonly wouldHaveBlocked: number;
}

export async function readObservedStages(tx: Transaction): Promise<readonly ObservedStage[]> {
  const rows = await tx.run(readObserving, {});
  return rows.map((row) => ({
    stage: row.stage as Stage,
    wouldHaveBlocked: Number(row.would_have_blocked),
  }));
}
