// Owns noticing that exceptions stand elsewhere than before: approved, over, taken back, or about something else by now. Time and other
// people's acts do that, and nobody writes it down; whoever scans asks here, and learns which rows it concerns. Each change is told once.
import { statement, type Transaction } from '../../db/index.js';
import type { HostMapping } from '../../host/index.js';
import { alertLevel } from './exception.js';
import type { ExceptionStanding } from './read.js';
import settleSql from './settle.sql.js';
import unsettledSql from './unsettled.sql.js';

const settle = statement({
  name: 'exception.settle',
  sql: settleSql,
  params: { at: 'timestamptz', alertLevel: 'text' },
  columns: {
    exception_code: 'text',
    before: 'text?',
    standing: 'text',
    row_ids: 'int8[]',
    scope: 'text',
    expires_at: 'timestamptz',
    approval_ref: 'text?',
  },
});
const readUnsettled = statement({
  name: 'exception.unsettled',
  sql: unsettledSql,
  params: { at: 'timestamptz' },
  columns: { moved: 'bool' },
});
export const settleStatements = [settle, readUnsettled];

export interface MovedException {
  readonly code: string;
  /** Null: nobody had looked at it yet. */
  readonly before: ExceptionStanding | null;
  readonly standing: ExceptionStanding;
  readonly scope: string;
  readonly expiresAt: string;
  readonly approvalRef: string | null;
  /** Rows of candidates that have to be looked at again: it began or ceased to hold for them. */
  readonly rowIds: readonly bigint[];
}

/** Whether any exception stands elsewhere than when somebody last looked. */
export async function areExceptionsUnsettled(tx: Transaction, at: string): Promise<boolean> {
  return (await tx.one(readUnsettled, { at })).moved;
}

/** Those that do, remembered from now on; a grant and an end are written into the audit log. Marking the rows is the caller's. */
export async function settleExceptions(
  tx: Transaction,
  { mapping, at }: { readonly mapping: HostMapping; readonly at: string },
): Promise<readonly MovedException[]> {
  const rows = await tx.run(settle, { at, alertLevel: alertLevel(mapping) });
  return rows.map((row) => ({
    code: row.exception_code,
    before: row.before as ExceptionStanding | null,
    standing: row.standing as ExceptionStanding,
    rowIds: row.row_ids,
    scope: row.scope,
    expiresAt: row.expires_at,
    approvalRef: row.approval_ref,
  }));
}
