// Owns closing runs whose process was killed: their run records and their heartbeat end as soon as somebody
// notices, which is the next closing run or the supervisor.
import type { Transaction } from '../../db/index.js';
import { readHeartbeats, readHolder, tick } from '../../record/cursor/index.js';
import { CLOSING_RUN } from '../follow/index.js';
import { endDead, endInterrupted } from './interrupted.sql.js';

const error = 'the process ended without saying so';

/** Ends the records of all other closing runs. INVARIANT: the caller holds the lease of closing runs. */
export async function endInterruptedRuns(
  tx: Transaction,
  run: { readonly runId: string; readonly at: string },
): Promise<void> {
  await tx.run(endInterrupted, { ...run, error });
}

/**
 * Ends the records and the heartbeat of closing runs that no process works on any more; returns the runs. The
 * heartbeat keeps the time of its last tick.
 */
export async function endDeadRuns(tx: Transaction, at: string): Promise<readonly string[]> {
  if ((await readHolder(tx, CLOSING_RUN)) !== null) return [];
  const ended = await tx.run(endDead, { ...CLOSING_RUN, at, error });
  const { worker, source } = CLOSING_RUN;
  const beats = await readHeartbeats(tx, at);
  const beat = beats.find((each) => each.worker === worker && each.source === source);
  if (beat !== undefined && beat.lastTickAt !== null && beat.state !== 'stopped')
    await tick(tx, { worker, source, status: 'ok', state: 'stopped', error, at: beat.lastTickAt });
  return ended.map((row) => row.run_id);
}
