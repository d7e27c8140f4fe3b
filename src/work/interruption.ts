// Owns what the supervisor does about backfills and full scans whose process died: it ends their run records
// and heartbeat, and keeps a finding open while a backfill is incomplete and no process runs it.
import type { Transaction } from '../db/index.js';
import { readHolder } from '../record/cursor/index.js';
import {
  type FindingContext,
  NO_TRANSITIONS,
  type Observation,
  type Transitions,
  writeFindings,
} from '../record/finding/index.js';
import { readLastRun } from '../verdict/candidate/index.js';
import { BACKFILL_SUBJECT, readBackfillState } from './backfill/index.js';
import { endDeadRuns } from './closing/index.js';
import { CLOSING_RUN } from './follow/index.js';
import { readCompletion } from './interruption.sql.js';

const INCOMPLETE = 'backfill_incomplete';

async function observeIncomplete(tx: Transaction): Promise<Observation> {
  const state = await readBackfillState(tx);
  const run = await readLastRun(tx, { kind: 'backfill' });
  return {
    type: INCOMPLETE,
    subject: BACKFILL_SUBJECT,
    entityType: 'table',
    entityCode: BACKFILL_SUBJECT,
    evidence: {
      reason: 'no process runs it',
      phase: state?.phase ?? null,
      swept: String(state?.scanned ?? 0n),
      births: state === undefined ? null : String(state.births),
      run: run?.runId ?? null,
      error: run?.error ?? null,
    },
  };
}

/**
 * Ends what died; raises or resolves the finding. A backfill that ends by itself does so, too: so nothing is
 * claimed here while one runs, and after a closing run that did not close.
 */
export async function noticeInterruptions(
  tx: Transaction,
  context: Omit<FindingContext, 'evaluated'>,
): Promise<Transitions> {
  await endDeadRuns(tx);
  const { begun, completed, closed } = await tx.one(readCompletion, {});
  if (!begun || (await readHolder(tx, CLOSING_RUN)) !== null || (completed && !closed)) return NO_TRANSITIONS;
  return writeFindings(tx, completed ? [] : [await observeIncomplete(tx)], {
    ...context,
    evaluated: { types: [INCOMPLETE], subjects: [BACKFILL_SUBJECT] },
  });
}
