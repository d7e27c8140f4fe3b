// Owns the retries of births that a backfill or a full scan has set aside: between such runs the intake makes
// them, under the lease of closing runs, which also counts the attempts.
import { type Database, readServerTime } from '../../db/index.js';
import { acquireLease, dueRetries, holderName } from '../../record/cursor/index.js';
import type { VerdictStamp } from '../../verdict/candidate/index.js';
import { MAIN_ROUND } from '../closing/index.js';
import { CLOSING_RUN, tryAgain } from '../follow/index.js';

const READ_ONLY = { isolation: 'repeatable read', readOnly: true } as const;
const CURSOR = { round: MAIN_ROUND, idType: 'integer' } as const;

/** Retries what is due. While a closing run works, they wait. */
export async function retryForClosingRuns(
  db: Database,
  stamp: Omit<VerdictStamp, 'at'>,
  stopIfRequested: () => void,
): Promise<void> {
  const due = await db.transaction(READ_ONLY, async (tx) =>
    dueRetries(tx, CLOSING_RUN, await readServerTime(tx), 1),
  );
  if (due.length === 0) return;
  const lease = await acquireLease(db, { ...CLOSING_RUN, holder: holderName(), rounds: [CURSOR] });
  if (lease === undefined) return;
  lease.startRenewing();
  try {
    await tryAgain({ lease, round: MAIN_ROUND, stopIfRequested }, stamp);
  } finally {
    await lease.release();
  }
}
