// Owns detecting status changes of exceptions: approved, expired, revoked, or with a changed subject. Time
// and the acts of other people cause them, and no row records them. A scan calls this module and gets the
// affected candidate rows. INVARIANT: each change is returned once.
import type { Transaction } from '../../db/index.js';
import { applyChanges, readChanged } from './changes.sql.js';
import type { ExceptionStatus } from './read.js';

export interface MovedException {
  readonly code: string;
  /** Null: no status was applied before. */
  readonly before: ExceptionStatus | null;
  readonly status: ExceptionStatus;
  readonly scope: string;
  readonly expiresAt: string;
  readonly approvalRef: string | null;
  /** Candidate rows to evaluate again, because the exception started or ceased to apply to them. */
  readonly rowIds: readonly bigint[];
}

/** Whether the status of any exception differs from the status applied last. */
export async function haveExceptionsChanged(tx: Transaction, at: string): Promise<boolean> {
  return (await tx.one(readChanged, { at })).moved;
}

/**
 * Returns the changed exceptions and stores their new status; a grant and an expiry are audited. The caller
 * marks the rows dirty.
 */
export async function applyExceptionChanges(tx: Transaction): Promise<readonly MovedException[]> {
  const rows = await tx.run(applyChanges, {});
  return rows.map((row) => ({
    code: row.exception_code,
    before: row.before as ExceptionStatus | null,
    status: row.status as ExceptionStatus,
    rowIds: row.row_ids,
    scope: row.scope,
    expiresAt: row.expires_at,
    approvalRef: row.approval_ref,
  }));
}
