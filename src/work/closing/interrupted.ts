// Owns runs whose process was killed: their run records, and the heartbeat of closing runs, are ended by
// the first that notices: the next run under the same lease, or the supervisor.
import type { Transaction } from '../../db/index.js';
import { endHeartbeat, readHolder } from '../../record/cursor/index.js';
import { CLOSING_RUN, SCAN } from '../follow/index.js';
import { endDead, endInterrupted } from './interrupted.sql.js';

const error = 'the process ended without saying so';

/** Ends the records of all other closing runs. INVARIANT: the caller holds the lease of closing runs. */
export async function endInterruptedRuns(tx: Transaction, runId: string): Promise<void> {
  await tx.run(endInterrupted, { runId, closing: true, error });
}

/** Ends the records of all other scans of the backlog. INVARIANT: the caller holds the lease of scans. */
export async function endInterruptedScans(tx: Transaction, runId: string): Promise<void> {
  await tx.run(endInterrupted, { runId, closing: false, error });
}

/**
 * Ends the records of runs that no process works on any more, and the heartbeat of closing runs; returns the
 * runs. The heartbeat keeps the time of its last tick.
 */
export async function endDeadRuns(tx: Transaction): Promise<readonly string[]> {
  const scans = (await tx.run(endDead, { ...SCAN, closing: false, error })).map((row) => row.run_id);
  if ((await readHolder(tx, CLOSING_RUN)) !== null) return scans;
  const ended = await tx.run(endDead, { ...CLOSING_RUN, closing: true, error });
  await endHeartbeat(tx, { ...CLOSING_RUN, error });
  return [...scans, ...ended.map((row) => row.run_id)];
}
