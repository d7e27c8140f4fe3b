// Owns the look from outside at workers and inboxes: who has fallen silent, and whose signals nobody reads. Time is a
// parameter; what is found is written down and announced in one transaction.
import type { Transaction } from '../db/index.js';
import { escalateUnread, type Transitions, watchWorkers } from '../record/index.js';
import { type AnnouncementContext, announceFindings } from './announcement.js';

export interface Supervision {
  readonly findings: Transitions;
  /** Deliveries passed on to GOV-COUNCIL because they were unread past their limit. */
  readonly escalated: number;
}

export async function supervise(tx: Transaction, context: AnnouncementContext): Promise<Supervision> {
  const findings = await watchWorkers(tx, context);
  await announceFindings(tx, findings, context);
  return { findings, escalated: await escalateUnread(tx, { at: context.at }) };
}
