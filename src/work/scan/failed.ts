// Owns groups that cannot be evaluated. They are marked as failed, so that the gate blocks them, and recorded
// with their key: retried with a growing delay, and dead letters after too many attempts. All other groups
// are evaluated meanwhile.
import type { Transaction } from '../../db/index.js';
import {
  completeRetries,
  type DueRetry,
  dueRetries,
  type Failure,
  type Lease,
  recordFailures,
} from '../../record/cursor/index.js';
import { type Failed, SCAN } from '../follow/index.js';
import { markFailed, readPlaces } from './failed.sql.js';

const GROUPS = 'governance_inventory';
const ROUND = 'main';

/** If this many groups fail and none succeeds, the cause is not in the groups: the scan fails. */
export const WHOLE_AFTER = 10;
export const RETRIES_AT_ONCE = 100;

/** Whether anything that a scan has recorded as failed is due for a retry. */
export async function isRetryDue(tx: Transaction, at: string): Promise<boolean> {
  return (await dueRetries(tx, SCAN, at, 1)).length > 0;
}

/** The failed groups that are due for a retry, by inventory key. */
export async function readFailedGroups(
  tx: Transaction,
  at: string,
  limit: number,
): Promise<ReadonlyMap<string, DueRetry>> {
  const due = await dueRetries(tx, SCAN, at, limit);
  return new Map(due.filter((each) => each.table === GROUPS).map((each) => [each.ref, each]));
}

/** Marks and records the groups that failed, and completes the retries of those that did not. */
export async function recordOutcome(
  tx: Transaction,
  lease: Lease,
  retried: ReadonlyMap<string, DueRetry>,
  failed: readonly Failed<{ readonly inventoryKey: string }>[],
  at: string,
): Promise<void> {
  const errors = new Map(failed.map(({ item, error }) => [item.inventoryKey, error]));
  const keys = [...errors.keys()];
  const done = [...retried].flatMap(([key, { id }]) => (errors.has(key) ? [] : [id]));
  await completeRetries(tx, lease, ROUND, done);
  if (keys.length === 0) return;
  await tx.one(markFailed, { inventoryKeys: keys, at });
  const failures = (await tx.run(readPlaces, { inventoryKeys: keys })).map(
    (row): Failure => ({
      table: GROUPS,
      ref: row.inventory_key,
      error: errors.get(row.inventory_key),
      detail: { collection: row.source_registry, object_class: row.object_class },
    }),
  );
  await recordFailures(tx, lease, ROUND, failures);
}
