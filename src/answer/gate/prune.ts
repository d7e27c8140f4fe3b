// Owns pruning old decisions of the gate. The database decides what may go: the oldest ones, past the minimum
// age.
import { sqlstateOf, type Transaction } from '../../db/index.js';
import { gateErrors } from './errors.js';
import { pruneDecisions } from './gate.sql.js';

const TOO_YOUNG = 'UG004';

/** Deletes the decisions made before `before`; returns how many, and of how many checks. */
export async function pruneChecks(
  tx: Transaction,
  before: string,
): Promise<{ readonly decisions: bigint; readonly checks: bigint }> {
  try {
    return await tx.one(pruneDecisions, { before });
  } catch (error) {
    if (sqlstateOf(error) !== TOO_YOUNG) throw error;
    throw gateErrors.gate_prune_too_young(`decisions before ${before} are not old enough to be pruned`, {
      cause: error,
    });
  }
}
