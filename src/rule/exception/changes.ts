// Owns noticing that exceptions stand elsewhere than before: approved, over, taken back, or about something else by now. Time and other
// people's acts do that, and nobody writes it down; whoever scans asks here, and learns which rows it concerns. Each change is told once.
import type { Transaction } from '../../db/index.js';
import type { HostMapping } from '../../host/index.js';
import { applyChanges, readChanged } from './changes.sql.js';
import { alertLevel } from './exception.js';
import type { ExceptionStatus } from './read.js';

export interface MovedException {
  readonly code: string;
  /** Null: nobody had looked at it yet. */
  readonly before: ExceptionStatus | null;
  readonly status: ExceptionStatus;
  readonly scope: string;
  readonly expiresAt: string;
  readonly approvalRef: string | null;
  /** Rows of candidates that have to be looked at again: it began or ceased to hold for them. */
  readonly rowIds: readonly bigint[];
}

/** Whether any exception stands elsewhere than when somebody last looked. */
export async function haveExceptionsChanged(tx: Transaction, at: string): Promise<boolean> {
  return (await tx.one(readChanged, { at })).moved;
}

/** Those that do, remembered from now on; a grant and an end are written into the audit log. Marking the rows is the caller's. */
export async function applyExceptionChanges(
  tx: Transaction,
  { mapping, at }: { readonly mapping: HostMapping; readonly at: string },
): Promise<readonly MovedException[]> {
  const rows = await tx.run(applyChanges, { at, alertLevel: alertLevel(mapping) });
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
