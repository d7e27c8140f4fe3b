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
export type Settle = (tx: Transaction, context: AnnouncementContext) => Promise<Transitions>;

/** Lets rooms above see to their findings, and tells of what changed. */
export async function settleAll(
  tx: Transaction,
  context: AnnouncementContext,
  settles: readonly Settle[],
): Promise<void> {
  for (const settle of settles) await announceFindings(tx, await settle(tx, context), context);
}

export async function supervise(
  tx: Transaction,
  context: AnnouncementContext,
  settles: readonly Settle[] = [],
): Promise<Supervision> {
  const findings = await watchWorkers(tx, context);
  await announceFindings(tx, findings, context);
  await settleAll(tx, context, settles);
  return { findings, escalated: await escalateUnread(tx, { at: context.at }) };
}
