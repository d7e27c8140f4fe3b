// Owns the request for a walk over all objects. The transaction that makes the walk necessary also stores the
// request with the cursors of closing runs, so the next run does the walk even after a crash.
import type { Transaction } from '../../db/index.js';
import { advance, type Cursor, type Lease, readCursors } from '../../record/cursor/index.js';
import { CLOSING_RUN } from '../follow/index.js';

/** The main cursor of closing runs; a backfill stores its state there. */
export const MAIN_ROUND = 'sweep';
/** The cursor that stores whether a walk over all objects is requested. */
export const WALK_ROUND = 'objects';

/** Requests a walk over all objects; call it in the transaction that makes the walk necessary. */
export async function requestWalk(tx: Transaction, lease: Lease): Promise<void> {
  await advance(tx, lease, WALK_ROUND, { phase: 'due' });
}

export async function endWalk(tx: Transaction, lease: Lease): Promise<void> {
  await advance(tx, lease, WALK_ROUND, { phase: 'done' });
}

/** Whether a walk is requested and not completed. */
export async function isWalkDue(tx: Transaction): Promise<boolean> {
  const cursors = await readCursors(tx, CLOSING_RUN);
  return cursors.some((cursor: Cursor) => cursor.round === WALK_ROUND && cursor.phase === 'due');
}
