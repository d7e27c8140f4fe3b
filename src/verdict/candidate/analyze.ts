// Owns telling the server that the tables of candidates have been filled: until it has counted for itself it takes them for empty, and plans so.
import type { Transaction } from '../../db/index.js';
import { analyze } from './analyze.sql.js';

/** Has the server count the rows of candidates, in the caller's transaction. */
export async function analyzeCandidates(tx: Transaction): Promise<void> {
  await tx.one(analyze, {});
}
