// Owns births that could not be taken in. They are recorded with their key and retried with a delay; after
// too many attempts they are dead letters. They count in the running fingerprints only after they succeed.
import type { Transaction } from '../../db/index.js';
import { type Failure, type Lease, recordFailures } from '../../record/cursor/index.js';
import type { Failed } from './bisect.js';
import { readKeys } from './set-aside.sql.js';

export const BIRTHS = 'birth_registry';
/** The lease of a closing run. It needs the tail exclusively: workers that follow the tail give way to it. */
export const CLOSING_RUN = { worker: 'closing_run', source: BIRTHS } as const;
/** The lease of scans. */
export const SCAN = { worker: 'scan', source: 'candidates' } as const;

/** The retry list for failed births: the lease, and the cursor that counts them. */
export interface RetryTarget {
  readonly lease: Lease;
  readonly round: string;
}

/** Records failed births under the fence; returns their ids. Skips ids that have no birth. */
export async function setAside(
  tx: Transaction,
  { lease, round }: RetryTarget,
  failed: readonly Failed<bigint>[],
): Promise<readonly bigint[]> {
  if (failed.length === 0) return [];
  const rows = await tx.run(readKeys, { ids: failed.map(({ item }) => item) });
  const errors = new Map(failed.map(({ item, error }) => [item, error]));
  const failures = rows.map(
    (row): Failure => ({
      table: BIRTHS,
      ref: String(row.id),
      error: errors.get(row.id),
      detail: { collection: row.collection_name, code: row.entity_code },
    }),
  );
  await recordFailures(tx, lease, round, failures);
  return rows.map((row) => row.id);
}
