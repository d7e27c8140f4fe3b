// Owns the request for a walk over all objects: made in the transaction that makes it necessary, kept with the cursors of closing runs,
// and taken up by whoever runs next, whatever happens in between.
import type { Transaction } from '../../db/index.js';
import { advance, type Cursor, type Lease, readCursors } from '../../record/cursor/index.js';
import { CLOSING_RUN } from '../follow/index.js';

/** The cursor of closing runs as such; a backfill keeps its state there. */
export const MAIN_ROUND = 'sweep';
/** The cursor that remembers whether all objects are to be walked over. */
export const WALK_ROUND = 'objects';

/** Asks for a walk over all objects, in the transaction that makes it necessary: whoever runs next takes it, whatever happens. */
export async function askForWalk(tx: Transaction, lease: Lease): Promise<void> {
  await advance(tx, lease, WALK_ROUND, { phase: 'due' });
}

/** The walk is done. */
export async function endWalk(tx: Transaction, lease: Lease): Promise<void> {
  await advance(tx, lease, WALK_ROUND, { phase: 'done' });
}

/** Whether somebody asked for a walk that nobody has ended yet. */
export async function isWalkDue(tx: Transaction): Promise<boolean> {
  const cursors = await readCursors(tx, CLOSING_RUN);
  return cursors.some((cursor: Cursor) => cursor.round === WALK_ROUND && cursor.phase === 'due');
}
