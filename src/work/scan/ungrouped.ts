// Owns the decision whether the ungrouped checks are due: whether the intake has taken in any change since
// they last ran. They find unknown authorities, owners of missing objects and undeclared families. Such a
// change marks no group.
import type { Transaction } from '../../db/index.js';
import { INTAKE } from '../../inventory/tail/index.js';
import { advance, type Lease, readCursors } from '../../record/cursor/index.js';
import { SCAN } from '../follow/index.js';

const ROUND = 'main';
const TAKEN_IN = 'ungrouped_after';

/** The number of changes the intake has seen. It only grows, and only when the host changes. */
async function readTakenIn(tx: Transaction): Promise<string> {
  const { worker, source } = INTAKE;
  const cursors = await readCursors(tx, { worker, source });
  return String(cursors.reduce((sum, { eventsSeen }) => sum + eventsSeen, 0n));
}

/** Whether the ungrouped checks must run. */
export async function areUngroupedChecksDue(tx: Transaction): Promise<boolean> {
  const [cursor] = await readCursors(tx, { ...SCAN, round: ROUND });
  return cursor?.metadata[TAKEN_IN] !== (await readTakenIn(tx));
}

/** Records that the ungrouped checks ran in the caller's transaction, or in the state it sees. */
export async function recordUngroupedChecks(tx: Transaction, lease: Lease): Promise<void> {
  await advance(tx, lease, ROUND, { metadata: { [TAKEN_IN]: await readTakenIn(tx) } });
}
