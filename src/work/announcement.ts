// Owns the conversion of finding changes into signals, and into the references of verdicts to their findings.
// Findings, events and verdicts do not depend on each other; this file connects them. A write of findings
// emits its signals in the same transaction, one per route. Repeated findings and child findings emit none.
import type { Transaction } from '../db/index.js';
import type { HostMapping } from '../host/index.js';
import { type Emission, emitSignals, knownType, type Signal } from '../record/event/index.js';
import type { Transition, Transitions } from '../record/finding/index.js';
import { linkFindings } from '../verdict/candidate/index.js';

export interface AnnouncementContext {
  readonly mapping: HostMapping;
  readonly runId: string;
  readonly at: string;
}

function signalFor(
  transition: Transition,
  type: string,
  route: string,
  context: AnnouncementContext,
): Signal {
  const coverage =
    knownType(type)?.stream === 'governance.coverage' || knownType(type)?.stream === 'governance.lifecycle';
  return {
    type,
    subjectTable: 'system_issues',
    subjectRef: transition.code,
    severity: transition.severity,
    occurredAt: context.at,
    // A run that repeats after a crash emits the same dedupe key, so each recipient receives the signal once.
    dedupeKey: `finding:${transition.code}:${transition.change}:${route}:${context.runId}`,
    payload: {
      issue_id: String(transition.issueId),
      severity: transition.severity,
      owner: route,
      run_id: context.runId,
      count: transition.count,
      ...(transition.scope === null ? {} : { scope: transition.scope }),
      ...(coverage ? { gap_type: transition.type } : {}),
    },
  };
}

/**
 * Emits or holds one signal per route for every change that requires a notification, and links the verdicts
 * that the changes are about.
 */
export async function announceFindings(
  tx: Transaction,
  transitions: Transitions,
  context: AnnouncementContext,
): Promise<Emission> {
  const changed = [...transitions.raised, ...transitions.reopened, ...transitions.resolved];
  await linkFindings(tx, context, {
    inventoryKeys: [...new Set(changed.map((each) => each.subject))],
    codes: changed.map((each) => each.code),
  });
  const heard = [...transitions.raised, ...transitions.reopened].filter((transition) => transition.notify);
  const signals = [
    ...heard.flatMap((each) => each.routes.map((route) => signalFor(each, each.eventType, route, context))),
    // A resolved finding is announced only if its beginning was announced.
    ...transitions.resolved
      .filter((each) => each.notify)
      .flatMap((each) => each.routes.map((route) => signalFor(each, 'finding.resolved', route, context))),
  ];
  if (signals.length === 0) return { emitted: 0, held: 0, repeated: 0 };
  return emitSignals(tx, { signals, mapping: context.mapping, at: context.at });
}

/**
 * Announces the end of a run with its counts, so that a missing announcement reveals a run that did not end.
 */
export async function announceCompletion(
  tx: Transaction,
  type: 'backfill.sweep_completed' | 'candidate.scan_completed' | 'coverage.audit_completed',
  counts: Readonly<Record<string, number>>,
  context: AnnouncementContext,
): Promise<Emission> {
  const { mapping, at, runId } = context;
  const signal: Signal = {
    type,
    subjectTable: 'candidate_scan_run',
    subjectRef: runId,
    occurredAt: at,
    dedupeKey: `run:${type}:${runId}`,
    payload: { run_id: runId, counts },
  };
  return emitSignals(tx, { signals: [signal], mapping, at });
}
