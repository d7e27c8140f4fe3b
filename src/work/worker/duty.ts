// Owns the duties of a worker process. A duty repeats its round under its own lease. Any number of processes
// can have the same duty; one of them works.
import { randomUUID } from 'node:crypto';
import { type Database, readServerTime, readSetting } from '../../db/index.js';
import { GcosError, hasCode } from '../../kernel/index.js';
import { advance, type Lease, type Round, type WorkerOptions } from '../../record/cursor/index.js';
import type { Events } from '../../record/event/index.js';
import { sealGate } from '../../record/log/index.js';
import { type Sources, sourceCadence } from '../../source/object/index.js';
import { announceFindings } from '../announcement.js';
import { readAudit } from '../audit.js';
import { CLOSING_RUN, readEvaluationBasis, SCAN } from '../follow/index.js';
import { pruneHistory } from '../history.js';
import { makeIntake } from '../intake/index.js';
import { readOrderedScanModes, readOrderedSources } from '../order/index.js';
import { syncHeldTypeFindings } from '../promotion.js';
import type { Rest } from '../pulse.js';
import { isAnythingDue, readScanLag, type ScanReport, type Scans, watchCandidates } from '../scan/index.js';
import { type SyncFindings, supervise } from '../supervision.js';
import { workerErrors } from './errors.js';

export const DUTIES = [
  'intake',
  'scanner',
  'audit',
  'promoter',
  'seal',
  'feed',
  'relay',
  'supervisor',
  'sync',
] as const;
export type DutyName = (typeof DUTIES)[number];

export interface Duty {
  readonly name: DutyName;
  /** The lease: the worker and the source it reads. */
  readonly worker: string;
  readonly source: string;
  readonly rounds?: readonly Round[];
  /** The leases that take precedence: see WorkerOptions. */
  readonly giveWayTo?: WorkerOptions['giveWayTo'];
  /** The delay before the next round if no work is left. */
  readonly restMs: number;
  /** How long it rests on after a round that found nothing. */
  readonly idle?: Rest;
  /** Why the duty cannot start yet. While there is a reason, it does not take the lease. */
  readonly notYet?: () => Promise<string | undefined>;
  readonly work: WorkerOptions['work'];
}

export interface DutyContext {
  readonly scans: Scans;
  readonly db: Database;
  readonly events: Events;
  readonly sources: Sources;
  /** Findings of higher layers. */
  readonly findingSyncs: readonly SyncFindings[];
}

const READ = { isolation: 'read committed', readOnly: true } as const;
const WRITE = { isolation: 'read committed', retries: 5 } as const;
/** Findings about types that hold signals are synchronised again after this long, even without a change. */
const GAPS_EVERY_MS = 600_000;

/** Takes in host changes: births, logs and registries become dirty marks and signals. */
export function intakeDuty({ db }: DutyContext): Duty {
  return { name: 'intake', ...makeIntake({ db }) };
}

/** The scanner checks for retries and exceptions every ten seconds, and for expired rows once a minute. */
const DUE_EVERY_MS = 10_000;
const EXPIRED_EVERY_MS = 60_000;

async function beforeBackfill(db: Database): Promise<string | undefined> {
  const basis = await db.transaction({ isolation: 'repeatable read', readOnly: true }, readEvaluationBasis);
  return basis === undefined ? 'no backfill has been completed' : undefined;
}

/** Re-evaluates verdicts that are dirty or expired. Gives way to full scans, which evaluate everything. */
export function scannerDuty({ db, scans }: DutyContext): Duty {
  let checkedAt = Number.NEGATIVE_INFINITY;
  let scanned = 0;
  let [found, handled]: [string?, string?] = [];
  return {
    name: 'scanner',
    ...SCAN,
    restMs: 1_000,
    idle: {
      mostMs: DUE_EVERY_MS,
      wakes({ dirty, changes }) {
        found = changes;
        return dirty || found !== handled;
      },
    },
    giveWayTo: [CLOSING_RUN],
    notYet: () => beforeBackfill(db),
    async work(lease, signal) {
      handled = found;
      const isDue = performance.now() - checkedAt > EXPIRED_EVERY_MS;
      // An idle scanner writes nothing, not even a run.
      const { isOrdered, waits, lag } = await db.transaction(READ, async (tx) => ({
        isOrdered: (await readOrderedScanModes(tx)).includes('incremental'),
        waits: await isAnythingDue(tx, { expired: isDue }),
        lag: await readScanLag(tx),
      }));
      if (isDue) {
        checkedAt = performance.now();
        const runId = `scan-watch-${randomUUID()}`;
        await lease.work({ ...WRITE, isolation: 'repeatable read' }, async (tx) => {
          const at = await readServerTime(tx);
          const active = (await readEvaluationBasis(tx))?.rulesetVersion ?? null;
          const run = { runId, at, ruleset: active, activeRuleset: active };
          await announceFindings(tx, await watchCandidates(tx, run), run);
          await advance(tx, lease, 'main', { summary: { watched_at: at } });
        });
      }
      const mode = isDue || isOrdered ? 'incremental' : 'event';
      const report = waits || isOrdered ? await scans.under(lease, { mode, signal }) : undefined;
      scanned += report?.lookedAt ?? 0;
      const did = report && {
        groups: report.lookedAt,
        evaluated: report.evaluated,
        changed: report.changed,
        failed: report.failed,
        throttled: report.throttled === null ? 0 : 1,
        findings_raised: report.findings.raised,
        findings_resolved: report.findings.resolved,
      };
      const lagSeconds = report === undefined ? lag : await db.transaction(READ, readScanLag);
      return { more: false, progress: { value: String(scanned) }, lagSeconds, ...(did && { did }) };
    },
  };
}

/** Runs a full scan. Undefined: another process holds a lease that it needs; the next round tries again. */
async function auditNow(scans: Scans, lease: Lease, signal: AbortSignal): Promise<ScanReport | undefined> {
  try {
    const report = await scans.run({ mode: 'full', signal });
    if (report.proof?.closed === true && report.ledger?.closes === true) return report;
    throw workerErrors.audit_not_closed(`full scan ${report.runId} did not close a ledger`);
  } catch (error) {
    if (hasCode(error, 'closing_run_busy')) return undefined;
    // A lease of the full scan, not that of this duty: the round has failed.
    if (hasCode(error, 'lease_lost') && lease.held)
      throw workerErrors.audit_not_closed(error.message, { cause: error });
    throw error;
  }
}

/** Derives everything again and closes the ledger, as often as `scan.audit` says, and when it is ordered. */
export function auditDuty({ db, scans }: DutyContext): Duty {
  return {
    name: 'audit',
    worker: 'audit',
    source: 'candidate_scan_run',
    restMs: 30_000,
    notYet: () => beforeBackfill(db),
    async work(lease, signal) {
      const { isOrdered, ...before } = await lease.work(READ, async (tx) => ({
        ...(await readAudit(tx)),
        isOrdered: (await readOrderedScanModes(tx)).includes('full'),
      }));
      const report = before.due || isOrdered ? await auditNow(scans, lease, signal) : undefined;
      const did = report && {
        groups: report.lookedAt,
        changed: report.changed,
        findings_raised: report.findings.raised,
        findings_resolved: report.findings.resolved,
        detectors_violated: report.detectors?.violated ?? 0,
        detectors_not_evaluated: report.detectors?.notEvaluated ?? 0,
      };
      if (did) await lease.work(WRITE, (tx) => advance(tx, lease, 'main', { summary: did }));
      return {
        more: false,
        progress: { value: report?.runId ?? before.closedAt ?? '' },
        lagSeconds: report === undefined ? before.dueSeconds : 0,
        ...(did && { did }),
      };
    },
  };
}

/** Without a change, the promoter tries again what the host refused. */
const RETRY_EVERY_MS = 30_000;

/** Sends held signals as soon as their type allows it. */
export function promoterDuty({ db, events }: DutyContext): Duty {
  let logged: { readonly gaps: string; readonly at: number } | undefined;
  let promoted = 0;
  let [found, handled]: [string?, string?] = [];
  return {
    name: 'promoter',
    worker: 'promoter',
    source: 'event_pending',
    restMs: 1_000,
    idle: {
      mostMs: RETRY_EVERY_MS,
      wakes({ signals, undelivered }) {
        found = signals;
        return undelivered || found !== handled;
      },
    },
    async work(lease) {
      handled = found;
      // Fails while workers are paused. Each batch of promote() is its own transaction and exactly-once.
      await lease.work(WRITE, readServerTime);
      const promotion = await events.promoteDue();
      promoted += promotion.promoted;
      const gaps = JSON.stringify(
        promotion.heldTypes.map(({ type, registered, active }) => [type, registered, active]),
      );
      if (logged?.gaps !== gaps || performance.now() - logged.at > GAPS_EVERY_MS) {
        const at = await db.transaction(READ, readServerTime);
        await syncHeldTypeFindings({ db, at, runId: `promotion-${randomUUID()}` }, await events.heldGaps());
        logged = { gaps, at: performance.now() };
      }
      const { promoted: now, failed, deadLettered } = promotion;
      await lease.work(WRITE, (tx) =>
        advance(tx, lease, 'main', { eventsSeen: now, summary: { promoted: now, failed, deadLettered } }),
      );
      return {
        more: false,
        progress: { value: String(promoted) },
        lagSeconds: promotion.waitedSeconds,
        did: { promoted: now, failed, dead_lettered: deadLettered },
      };
    },
  };
}

/** Seals the answers of the gate once a minute, so that checks do not wait for each other. */
const SEAL_EVERY_MS = 60_000;

export function sealDuty({ db }: DutyContext): Duty {
  let sealed = 0;
  return {
    name: 'seal',
    worker: 'seal',
    source: 'governance_gate_answer',
    restMs: SEAL_EVERY_MS,
    async work(lease, signal) {
      // Fails while workers are paused. Each range is its own transaction: no answer is in two of them.
      await lease.work(WRITE, readServerTime);
      const { ranges, answers, lagSeconds } = await sealGate(db, signal);
      sealed += answers;
      await lease.work(WRITE, (tx) =>
        advance(tx, lease, 'main', { eventsSeen: answers, summary: { ranges, answers } }),
      );
      return { more: false, progress: { value: String(sealed) }, lagSeconds, did: { ranges, answers } };
    },
  };
}

/** History is pruned in batches of a day: looking for more of it this often is early enough. */
const PRUNE_EVERY_MS = 600_000;

/** Supervises all workers and inboxes, and prunes history. */
export function supervisorDuty({ findingSyncs }: DutyContext): Duty {
  let pruneAt = Number.NEGATIVE_INFINITY;
  return {
    name: 'supervisor',
    worker: 'supervisor',
    source: 'queue_heartbeat',
    restMs: 30_000,
    async work(lease) {
      const runId = `supervision-${randomUUID()}`;
      const did = await lease.work(WRITE, async (tx) => {
        const at = await readServerTime(tx);
        const { findings, escalated } = await supervise(tx, { at, runId }, findingSyncs);
        const { raised, reopened, resolved } = findings;
        const counts = { raised: raised.length, reopened: reopened.length, resolved: resolved.length };
        await advance(tx, lease, 'main', { summary: { ...counts, escalated } });
        return { ...counts, escalated };
      });
      const prunes = performance.now() >= pruneAt;
      const pruned = prunes ? await pruneHistory(lease) : 0;
      // A backlog of history is pruned in one round after the other.
      if (prunes && pruned === 0) pruneAt = performance.now() + PRUNE_EVERY_MS;
      // It has no source to be behind of: `last_success_at` shows whether it works.
      return { more: false, progress: { value: runId }, did: { ...did, pruned } };
    },
  };
}

/** How often a worker looks whether a source is due. */
const SYNC_REST_MS = 10_000;

/**
 * Reads one source that is due or ordered; the next round reads the next one. A source that fails does not
 * keep the others from being read: the failure is recorded, and the supervisor makes it a finding.
 */
export function syncDuty({ db, sources }: DutyContext): Duty {
  const due = async () => {
    const { ordered, cadence } = await db.transaction(READ, async (tx) => ({
      ordered: await readOrderedSources(tx),
      cadence: await readSetting(tx, sourceCadence),
    }));
    return [...ordered, ...(await sources.due(cadence.minutes * 60, cadence.share))];
  };
  return {
    name: 'sync',
    worker: 'sync',
    source: 'gcos_source',
    restMs: SYNC_REST_MS,
    notYet: async () =>
      (await sources.any()) ? undefined : 'there is no source: `gcos source add` adds one to a home',
    async work(lease) {
      // Fails while workers are paused.
      await lease.work(WRITE, readServerTime);
      const [first, ...others] = await due();
      if (first === undefined) return { more: false, progress: { value: 'nothing due' }, lagSeconds: 0 };
      const report = await sources
        .syncOne(first, { onProgress: () => lease.noteProgress() })
        .catch((error: unknown) => (error instanceof GcosError ? error : Promise.reject(error)));
      const failed = report instanceof GcosError;
      const did = {
        sources: 1,
        objects: failed ? 0 : report.objects,
        failed: failed ? 1 : 0,
        changed: !failed && report.changed ? 1 : 0,
      };
      await lease.work(WRITE, (tx) =>
        advance(tx, lease, 'main', { summary: { source: first.name, ...did } }),
      );
      return {
        more: others.length > 0,
        progress: { value: `${first.name} ${failed ? report.code : report.readAt}` },
        lagSeconds: others[0]?.overdueSeconds ?? 0,
        did,
      };
    },
  };
}
