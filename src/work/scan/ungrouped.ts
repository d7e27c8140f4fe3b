// Owns knowing whether the intake has taken anything in since all that hangs on no group was last looked at: authorities nobody knows,
// owners of what is not there, families nobody declared. A change of that kind marks no group, so that no mark can tell of it.
import type { Transaction } from '../../db/index.js';
import { INTAKE } from '../../inventory/tail/index.js';
import { advance, type Lease, readCursors } from '../../record/cursor/index.js';

export const SCAN = { worker: 'scan', source: 'candidates' } as const;
const ROUND = 'main';
const TAKEN_IN = 'ungrouped_after';

/** How much the intake has seen so far: it only grows, and not while nothing happens. */
async function readTakenIn(tx: Transaction): Promise<string> {
  const { worker, source } = INTAKE;
  const cursors = await readCursors(tx, { worker, source });
  return String(cursors.reduce((sum, { eventsSeen }) => sum + eventsSeen, 0n));
}

/** Whether there is a reason to look at everything around the groups. */
export async function areUngroupedChecksDue(tx: Transaction): Promise<boolean> {
  const [cursor] = await readCursors(tx, { ...SCAN, round: ROUND });
  return cursor?.metadata[TAKEN_IN] !== (await readTakenIn(tx));
}

/** Everything was looked at, in the caller's transaction or in the state it sees. */
export async function recordUngroupedChecks(tx: Transaction, lease: Lease): Promise<void> {
  await advance(tx, lease, ROUND, { metadata: { [TAKEN_IN]: await readTakenIn(tx) } });
}
