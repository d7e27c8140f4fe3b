// Owns the look from outside at workers and inboxes: who has fallen silent, and whose signals nobody reads. Time is a
// parameter; what is found is written down and announced in one transaction.
import type { Transaction } from '../db/index.js';
import { watchWorkers } from '../record/cursor/index.js';
import { escalateUnread } from '../record/event/index.js';
import type { Transitions } from '../record/finding/index.js';
import { type AnnouncementContext, announceFindings } from './announcement.js';

export interface Supervision {
  readonly findings: Transitions;
  /** Deliveries passed on to GOV-COUNCIL because they were unread past their limit. */
  readonly escalated: number;
}

/** Sees to findings of a room above: raises, keeps and resolves them, and marks what is to be looked at again. */
export type SyncFindings = (tx: Transaction, context: AnnouncementContext) => Promise<Transitions>;

/** Lets rooms above see to their findings, and tells of what changed. */
export async function syncAllFindings(
  tx: Transaction,
  context: AnnouncementContext,
  findingSyncs: readonly SyncFindings[],
): Promise<void> {
  for (const sync of findingSyncs) await announceFindings(tx, await sync(tx, context), context);
}

export async function supervise(
  tx: Transaction,
  context: AnnouncementContext,
  findingSyncs: readonly SyncFindings[] = [],
): Promise<Supervision> {
  const findings = await watchWorkers(tx, context);
  await announceFindings(tx, findings, context);
  await syncAllFindings(tx, context, findingSyncs);
  return { findings, escalated: await escalateUnread(tx, { at: context.at }) };
}
