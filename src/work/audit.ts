// Owns the question when the next full audit is due: a full scan that derives everything again and closes the
// ledger, at least every so many hours; and the finding that none has closed a ledger for too long.
import { z } from 'zod';
import { defineSetting, readSetting, type Transaction } from '../db/index.js';
import {
  type FindingContext,
  severityBeyond,
  type Transitions,
  writeFindings,
} from '../record/finding/index.js';
import { readAuditRow } from './audit.sql.js';
import { readEvaluationBasis } from './follow/index.js';
import { readWindow, windowSetting } from './window.js';

const hours = z.number().positive().max(8_760);
const auditSetting = z
  .strictObject({ every_hours: hours, window: windowSetting.default(null), overdue_hours: hours })
  .refine((each) => each.overdue_hours >= each.every_hours, 'overdue_hours must not be below every_hours');

export const scanAudit = defineSetting({
  key: 'scan.audit',
  form: auditSetting,
  default: { every_hours: 24, window: null, overdue_hours: 48 },
  about:
    'how often the worker runs a full audit; in which hours of the day it may, for example {"from": "01:00", "to": "05:00"} in UTC (null: always); and after how many hours without a closed ledger `audit_overdue` is raised',
});
const OVERDUE = 'audit_overdue';

export interface Audit {
  /** When the last run that closed a ledger began; null: there is none. */
  readonly closedAt: string | null;
  /** An audit must run now. Never outside of the window. */
  readonly due: boolean;
  /** For how long it has been due. */
  readonly dueSeconds: number;
  readonly overdue: boolean;
  /** The age of the last ledger in hours, whatever the clock did; 0: there is none. */
  readonly ageHours: number;
  /** From which age of the last ledger on it is overdue. */
  readonly overdueHours: number;
}

/** Whether an audit is due or overdue, by the server's clock. */
export async function readAudit(tx: Transaction): Promise<Audit> {
  const setting = await readSetting(tx, scanAudit);
  const { every_hours: every, window, overdue_hours: overdueHours } = setting;
  const open = window === null ? null : (await readWindow(tx, window)).open;
  const row = await tx.one(readAuditRow, {
    everySeconds: every * 3_600,
    overdueSeconds: overdueHours * 3_600,
    opensAt: open?.opensAt ?? null,
    closesAt: open?.closesAt ?? null,
  });
  const due = row.due && (window === null || open !== null);
  return {
    closedAt: row.closed_at,
    due,
    dueSeconds: due ? row.due_seconds : 0,
    overdue: row.overdue,
    ageHours: row.age_seconds / 3_600,
    overdueHours,
  };
}

/**
 * Raises or resolves the finding that no ledger was closed for too long. None before a backfill is complete:
 * then there is nothing to audit.
 */
export async function syncAuditFinding(
  tx: Transaction,
  context: Omit<FindingContext, 'evaluated'>,
): Promise<Transitions> {
  const begun = (await readEvaluationBasis(tx)) !== undefined;
  const { closedAt, overdue, overdueHours, ageHours } = await readAudit(tx);
  const observation = {
    type: OVERDUE,
    subject: 'ledger',
    entityType: 'worker',
    entityCode: 'gcos_audit',
    ...severityBeyond(ageHours, overdueHours),
    evidence: { closed_at: closedAt, threshold_hours: overdueHours },
  };
  return writeFindings(tx, begun && overdue ? [observation] : [], {
    ...context,
    evaluated: { types: [OVERDUE], subjects: 'all' },
  });
}
