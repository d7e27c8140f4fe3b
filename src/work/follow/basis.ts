// Owns the evaluation basis between closing runs: the active rules, and the snapshot of the last completed
// run.
import type { Transaction } from '../../db/index.js';
import { readActive } from '../../rule/ruleset/index.js';
import { readLastRun } from '../../verdict/candidate/index.js';

export interface EvaluationBasis {
  readonly rulesetVersion: string;
  /** The snapshot that the last completed run closed. */
  readonly snapshotRef: bigint;
}

/** Undefined before the first backfill has been completed. */
export async function readEvaluationBasis(tx: Transaction): Promise<EvaluationBasis | undefined> {
  const run = await readLastRun(tx, { status: 'completed' });
  const active = await readActive(tx);
  const snapshotRef = run?.closingSnapshotRef ?? run?.snapshotRef ?? null;
  const rulesetVersion = active?.version ?? run?.rulesetVersion ?? null;
  if (snapshotRef === null || rulesetVersion === null) return undefined;
  return { snapshotRef, rulesetVersion };
}
