// Owns the request for a review of everything. A rebase cannot know which births changed, so every group must
// be marked and every object looked at again. The request is stored with the cursor of wide rounds, in the
// transaction that makes the review necessary, so that it survives until a round has done it.
import type { Transaction } from '../../db/index.js';
import { advance, type Lease, readCursor } from '../../record/cursor/index.js';

/**
 * due: every group must be marked, and every object looked at. deferred: the groups are marked, and the
 * objects wait, because nothing may be decided now. none: nothing is requested.
 */
export type Review = 'due' | 'deferred' | 'none';

const PHASES: Readonly<Record<Review, string>> = {
  due: 'review_due',
  deferred: 'review_deferred',
  none: 'reviewed',
};

export async function readReview(tx: Transaction, lease: Lease): Promise<Review> {
  const { phase } = await readCursor(tx, lease, 'wide');
  if (phase === PHASES.due) return 'due';
  return phase === PHASES.deferred ? 'deferred' : 'none';
}

/** Stores the state of the review in the caller's transaction. */
export async function noteReview(tx: Transaction, lease: Lease, review: Review): Promise<void> {
  await advance(tx, lease, 'wide', { phase: PHASES[review] });
}
