// Owns which stages of the gate only observe, by the ruleset in force: said until it is changed.
import type { Transaction } from '../../db/index.js';
import { readObserving } from './gate.sql.js';
import type { Stage } from './question.js';

export interface ObservedStage {
  readonly stage: Stage;
  /** Since the ruleset came into force. */
  readonly would_have_blocked: number;
}

export async function readObservedStages(tx: Transaction): Promise<readonly ObservedStage[]> {
  const rows = await tx.run(readObserving, {});
  return rows.map((row) => ({
    stage: row.stage as Stage,
    would_have_blocked: Number(row.would_have_blocked),
  }));
}
