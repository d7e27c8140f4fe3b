// Owns the supervision of workers, closing runs and inboxes: it finds workers without a heartbeat, runs that
// died, audits that are overdue, and signals that no recipient reads. One transaction writes and announces
// the findings.
import type { Transaction } from '../db/index.js';
import type { Announce } from '../inventory/snapshot/index.js';
import { watchWorkers } from '../record/cursor/index.js';
import { escalateUnread } from '../record/event/index.js';
import type { Transitions } from '../record/finding/index.js';
import { type AnnouncementContext, announceFindings } from './announcement.js';
import { syncAuditFinding } from './audit.js';
import { noticeInterruptions } from './interruption.js';
import { syncWebhookFindings } from './relay/index.js';
import { syncSourceFindings } from './source-failure.js';
import { observeUnwatched } from './watched.js';

export interface Supervision {
  readonly findings: Transitions;
  /** Deliveries escalated to the council because they stayed unread past their limit. */
  readonly escalated: number;
}

/**
 * Synchronises the findings of a higher layer: raises, keeps and resolves them, and marks the verdicts to
 * re-evaluate.
 */
export type SyncFindings = (tx: Transaction, context: AnnouncementContext) => Promise<Transitions>;

/** Runs the finding syncs of the higher layers and announces the changes. */
export async function syncAllFindings(
  tx: Transaction,
  context: AnnouncementContext,
  findingSyncs: readonly SyncFindings[],
  announce: Announce = announceFindings,
): Promise<void> {
  for (const sync of findingSyncs) await announce(tx, await sync(tx, context), context);
}

export async function supervise(
  tx: Transaction,
  context: AnnouncementContext,
  findingSyncs: readonly SyncFindings[] = [],
): Promise<Supervision> {
  const ofProcesses = { ...context, ruleset: null, activeRuleset: null };
  const written = [
    // First: what died has no heartbeat any more that could be silent.
    await noticeInterruptions(tx, ofProcesses),
    await syncAuditFinding(tx, ofProcesses),
    await syncSourceFindings(tx, ofProcesses),
    await syncWebhookFindings(tx, ofProcesses),
    await watchWorkers(tx, { ...context, observations: await observeUnwatched(tx) }),
  ];
  const findings = {
    raised: written.flatMap((each) => each.raised),
    reopened: written.flatMap((each) => each.reopened),
    resolved: written.flatMap((each) => each.resolved),
    repeated: written.reduce((sum, each) => sum + each.repeated, 0),
  };
  await announceFindings(tx, findings, context);
  await syncAllFindings(tx, context, findingSyncs);
  return { findings, escalated: await escalateUnread(tx) };
}
