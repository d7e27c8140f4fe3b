// Owns refreshing the planner statistics of the candidate tables after they were filled. Until then the
// server plans as if they were empty.
import type { Transaction } from '../../db/index.js';
import { analyze } from './analyze.sql.js';

/** Analyzes the candidate tables, in the caller's transaction. */
export async function analyzeCandidates(tx: Transaction): Promise<void> {
  await tx.one(analyze, {});
}
