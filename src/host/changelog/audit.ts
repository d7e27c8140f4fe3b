// Owns the audit rows of GCOS in registry_changelog, the only audit channel. GCOS appends them in batches and
// never changes them.
import type { Transaction } from '../../db/index.js';
import { appendRows } from './audit.sql.js';

/**
 * The audited actions of workers per entity type. The function gcos_audit_work accepts exactly these; all
 * other audit rows are written by the functions that do what they record.
 */
export const AUDIT_KINDS = {
  governance_snapshot: ['capture'],
  governance_reconciliation: ['close'],
  governance_cursor: ['replay'],
} as const;

export type AuditRow = {
  [Type in keyof typeof AUDIT_KINDS]: {
    readonly entityType: Type;
    readonly action: (typeof AUDIT_KINDS)[Type][number];
    readonly entityCode: string;
    /** Names and counts; never the contents of an object. */
    readonly detail: Readonly<Record<string, unknown>>;
  };
}[keyof typeof AUDIT_KINDS];

/** Appends audit rows in the caller's transaction. The server records the login and the time. */
export async function appendAudit(tx: Transaction, rows: readonly AuditRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.one(appendRows, {
    entityTypes: rows.map((row) => row.entityType),
    entityCodes: rows.map((row) => row.entityCode),
    actions: rows.map((row) => row.action),
    details: rows.map((row) => JSON.stringify(row.detail)),
  });
}
