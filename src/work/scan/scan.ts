// Owns a scan of the backlog: rows that were just marked (event), or all dirty and expired rows
// (incremental). It takes groups in order of exposure, a few hundred per transaction, under the scan lease,
// so two scanners never evaluate the same group. With an empty backlog it writes only the run.
import type { Database, Transaction } from '../../db/index.js';
import type { Announce } from '../../inventory/snapshot/index.js';
import { defineStage, type StageContract } from '../../kernel/index.js';
import type { Lease } from '../../record/cursor/index.js';
import { advance, type DueRetry } from '../../record/cursor/index.js';
import {
  beginRun,
  type ChangedReason,
  checkDangling,
  failRun,
  finishRun,
  forgetQuestions,
  readChangedReasons,
  readRules,
  type ScanMode,
} from '../../verdict/candidate/index.js';
import { type AnnouncementContext, announceCompletion } from '../announcement.js';
import { endInterruptedScans } from '../closing/index.js';
import { type EvaluationBasis, readEvaluationBasis, tryAgain, tryAll } from '../follow/index.js';
import { readStorm, type Storm } from '../intake/index.js';
import { type SyncFindings, syncAllFindings } from '../supervision.js';
import { type DueGroup, readDueGroups, readScanPace, type ScanPace, takeUnits } from './backlog.js';
import { countGroups } from './backlog.sql.js';
import { scanErrors } from './errors.js';
import { addCounts, NOTHING_SCANNED, type ScanCounts, scanGroups } from './evaluate.js';
import { noticeExceptions, readUnneeded } from './exceptions.js';
import { isRetryDue, RETRIES_AT_ONCE, readFailedGroups, recordOutcome, WHOLE_AFTER } from './failed.js';
import { areUngroupedChecksDue, recordUngroupedChecks } from './ungrouped.js';

const WORK = { isolation: 'repeatable read', retries: 10 } as const;

/** The modes that scan the backlog. */
export type WaitingMode = Exclude<ScanMode, 'full'>;

export interface ScanContext {
  readonly db: Database;
  readonly announce: Announce;
  readonly runId: string;
  readonly lease: Lease;
  /**
   * Finding syncs of higher layers. They run before the scan, so that it evaluates the rows they mark, and
   * after it.
   */
  readonly findingSyncs: readonly SyncFindings[];
  readonly onProgress: (done: number) => void;
  /** Throws if the run was interrupted or has lost its lease. */
  stopIfRequested(): void;
}

export interface Scanned {
  readonly counts: ScanCounts;
  readonly basis: EvaluationBasis;
  /** Why the whole backlog was evaluated in one pass; null: it was not. */
  readonly widened: string | null;
  /** Why the scan left groups to later ones; null: it did not. */
  readonly throttled: string | null;
  /** Exceptions in force without effect. */
  readonly unneeded: readonly string[];
}

/** The evaluation basis; fails before the first backfill. */
export async function requireEvaluationBasis(tx: Transaction): Promise<EvaluationBasis> {
  const basis = await readEvaluationBasis(tx);
  if (basis === undefined) throw scanErrors.scan_before_backfill('no backfill has been completed');
  return basis;
}

interface Batch {
  readonly counts: ScanCounts;
  /** Whether coverage was evaluated, of groups or of subjects outside of them. */
  readonly covered: boolean;
  readonly more: boolean;
  readonly widened: string | null;
}

interface TakenUp {
  readonly due: readonly DueGroup[];
  /** Failed groups that are tried again. */
  readonly retried: ReadonlyMap<string, DueRetry>;
  /** Whether the ungrouped checks must run, too. */
  readonly ungrouped: boolean;
  /** Whether more groups wait. */
  readonly more: boolean;
  readonly widened: string | null;
}

/** Below this number, a second query is not worth its cost. */
const WORTH_WIDENING = 20;

/**
 * Selects the groups to evaluate now. If a large share of all groups waits, one pass is cheaper than many
 * small ones.
 */
async function takeUp(
  tx: Transaction,
  mode: WaitingMode,
  { pace, storm, retries }: Begun,
  at: string,
): Promise<TakenUp> {
  const restMs = mode === 'event' ? pace.debounce_ms : 0;
  const where = { at, restMs, expired: mode === 'incremental' };
  const limit = storm === null ? pace.at_once : pace.storm_at_once;
  const fresh = await readDueGroups(tx, { ...where, limit });
  const ungrouped = mode === 'incremental' && (await areUngroupedChecksDue(tx));
  const retried = retries ? await readFailedGroups(tx, at, RETRIES_AT_ONCE) : new Map<string, DueRetry>();
  const withRetried = (due: readonly DueGroup[]) => [
    ...due,
    ...[...retried.keys()].map((inventoryKey) => ({ inventoryKey, moved: false })),
  ];
  const taken = takeUnits(fresh, pace.units_at_once);
  const isPart = taken.length < fresh.length;
  const more = isPart || fresh.length === limit;
  const some = { due: withRetried(taken), retried, ungrouped, more, widened: null };
  if (storm !== null || isPart || fresh.length < WORTH_WIDENING) return some;
  const { groups } = await tx.one(countGroups, {});
  if (fresh.length <= Number(groups) * pace.full_share) return some;
  const all = more ? await readDueGroups(tx, { ...where, limit: Number(groups) }) : fresh;
  // One pass over more would hold its locks for long, and lose all of it if it failed.
  if (takeUnits(all, pace.units_at_once).length < all.length) return some;
  const widened = `${all.length} of ${groups} inventory groups wait: evaluated in one pass`;
  return { ...some, due: withRetried(all), more: false, widened };
}

/** The values that all batches of a scan share. */
interface Begun {
  readonly basis: EvaluationBasis;
  readonly pace: ScanPace;
  /** The status of an exception changed: its findings must be evaluated, even if no group is affected. */
  readonly noticed: boolean;
  /** The storm in which this scan runs; null: there is none. */
  readonly storm: Storm | null;
  /** Whether groups or births that failed are due for a retry. */
  readonly retries: boolean;
  /** The changed reasons that this scan has taken up: one that it could not apply does not keep it going. */
  readonly tried: Set<string>;
}

const nameOf = ({ collection, code, reason, ended }: ChangedReason): string =>
  JSON.stringify([collection, code, reason, ended]);

/** The groups of members whose reasons changed, beside those that wait anyway. Their own rows are valid. */
function withChanged(due: readonly DueGroup[], changed: readonly ChangedReason[]): readonly DueGroup[] {
  const known = new Set(due.map((each) => each.inventoryKey));
  const others = new Set(changed.map((each) => each.inventoryKey).filter((key) => !known.has(key)));
  return [...due, ...[...others].map((inventoryKey) => ({ inventoryKey, moved: true }))];
}

/** Evaluates one batch of the backlog. */
async function scanBatch(
  tx: Transaction,
  context: ScanContext,
  mode: WaitingMode,
  begun: Begun,
  at: string,
): Promise<Batch> {
  const { runId, lease, announce } = context;
  const { basis, noticed } = begun;
  const { due: waiting, retried, ungrouped, widened, more } = await takeUp(tx, mode, begun, at);
  const changedReasons = await readChangedReasons(tx);
  for (const each of changedReasons) begun.tried.add(nameOf(each));
  const due = withChanged(waiting, changedReasons);
  if (due.length === 0 && !ungrouped && !noticed)
    return { counts: NOTHING_SCANNED, covered: false, more: false, widened };
  const rules = await readRules(tx);
  const retryTarget = { announce, retryTarget: { lease, round: 'main' } };
  const all = { ...basis, runId, at, rules, changedReasons };
  let counts = NOTHING_SCANNED;
  let checked = !ungrouped && !noticed;
  const evaluate = async (part: readonly DueGroup[], checks: boolean) => {
    const also = checks ? { ungrouped, look: noticed } : { ungrouped: false };
    counts = addCounts(counts, await scanGroups(tx, retryTarget, part, { ...all, ...also }));
    checked ||= checks;
  };
  // A group that cannot be evaluated must not stop the others, nor be blamed for the checks about everything,
  // which are made with the first attempt.
  let failed = await tryAll(tx, due, (part) => evaluate(part, part.length === due.length), WHOLE_AFTER);
  if (!checked && due.length === 1) failed = await tryAll(tx, due, (part) => evaluate(part, false));
  await recordOutcome(tx, lease, retried, failed, at);
  if (!checked) await evaluate([], true);
  counts = { ...counts, failed: failed.length };
  if (ungrouped) await recordUngroupedChecks(tx, lease);
  await advance(tx, lease, 'main', { summary: { looked_at: counts.lookedAt, evaluated: counts.evaluated } });
  // The new verdicts may be the basis of an exception, which then affects other rows.
  const moved = await noticeExceptions(tx, { at });
  // So may the findings of this batch.
  const begins = (await readChangedReasons(tx)).some((each) => !begun.tried.has(nameOf(each)));
  const covered = counts.evaluated > 0 || ungrouped || noticed;
  return { counts, covered, more: moved > 0 || begins || more, widened };
}

/** Raises, marks and resolves verdicts whose snapshot is gone: they are due at once. */
async function checkSnapshots(
  tx: Transaction,
  { runId, announce }: Pick<ScanContext, 'runId' | 'announce'>,
  { rulesetVersion }: EvaluationBasis,
  at: string,
): Promise<void> {
  const run = { runId, at, ruleset: rulesetVersion, activeRuleset: rulesetVersion };
  await announce(tx, (await checkDangling(tx, run)).transitions, run);
}

/** Marks the rows affected by exceptions and by findings of higher layers, before the backlog is read. */
async function begin(
  tx: Transaction,
  { runId, findingSyncs, announce }: ScanContext,
  mode: WaitingMode,
  basis: EvaluationBasis,
  at: string,
): Promise<Begun> {
  await syncAllFindings(tx, { runId, at }, findingSyncs);
  if (mode === 'incremental') {
    await checkSnapshots(tx, { runId, announce }, basis, at);
    await forgetQuestions(tx, at);
  }
  const noticed = (await noticeExceptions(tx, { at })) > 0;
  const pace = await readScanPace(tx);
  const storm = await readStorm(tx, at);
  return {
    basis,
    noticed,
    // Decisions and dates do not arrive in bursts, so no debounce is needed.
    pace: noticed ? { ...pace, debounce_ms: 0 } : pace,
    storm: storm.raging ? storm : null,
    retries: await isRetryDue(tx, at),
    tried: new Set(),
  };
}

/** The length of the date and the hour in a time of the server, in UTC. */
const HOUR = '2000-01-01 00'.length;

/** A scan that changed nothing is announced if none was in the same hour. */
const isUnchanged = ({ changed, raised, reopened, resolved, failed }: ScanCounts): boolean =>
  changed + raised + reopened + resolved + failed === 0;

/**
 * Announces the end of a scan: that verdicts were renewed, and, if the scan evaluated coverage, that it did
 * and what it found. In every idle minute some verdicts expire and are renewed: of the scans of the backlog
 * that change nothing, one in each hour is announced, which still shows that scans end.
 */
export async function announceScan(
  tx: Transaction,
  scan: {
    readonly counts: ScanCounts;
    readonly mode: ScanMode;
    readonly basis: EvaluationBasis;
    readonly covered: boolean;
  },
  context: AnnouncementContext,
): Promise<void> {
  const { counts, mode, basis } = scan;
  const { snapshotRef: snapshot, rulesetVersion: ruleset } = basis;
  const ended = { counts: { ...counts }, mode, ruleset, snapshot };
  const once =
    mode !== 'full' && isUnchanged(counts) ? { once: `unchanged:${context.at.slice(0, HOUR)}` } : {};
  await announceCompletion(tx, 'candidate.scan_completed', { ...ended, ...once }, context);
  if (!scan.covered) return;
  const { evaluated, raised, reopened, resolved } = counts;
  const found = { evaluated, raised, reopened, resolved };
  await announceCompletion(tx, 'coverage.scan_completed', { counts: found, ...once }, context);
}

/** Completes and announces the run. Returns the exceptions that no row needs any more. */
async function finish(
  tx: Transaction,
  { runId, findingSyncs }: ScanContext,
  scanned: Omit<Scanned, 'widened' | 'unneeded'> & {
    readonly mode: WaitingMode;
    readonly covered: boolean;
  },
  at: string,
): Promise<readonly string[]> {
  const { counts, throttled, mode, basis, covered } = scanned;
  // Announce the findings before the completion of the run.
  if (counts.lookedAt > 0) await syncAllFindings(tx, { runId, at }, findingSyncs);
  const progress = { counts: { ...counts } };
  if (throttled === null) await finishRun(tx, runId, progress);
  else await failRun(tx, runId, { ...progress, status: 'throttled', error: throttled });
  await announceScan(tx, { counts, mode, basis, covered }, { runId, at });
  return readUnneeded(tx, at);
}

const throttledText = ({ dirtied, total, seconds }: Storm): string =>
  `${dirtied} of ${total} groups were marked within ${seconds} seconds: the most exposed were evaluated, the others wait`;

const RUN_RECORD = { isolation: 'read committed', retries: 5 } as const;

export const SCAN_STAGE: StageContract = {
  name: 'scan',
  takes: 'the lease of scans, and a mode: event, incremental or full',
  returns: 'how many groups were evaluated and changed, and the findings that were raised and resolved',
  writes: 'what candidate and coverage write; findings; candidate_scan_run',
  promises: 'no two scans evaluate a group at the same time; every run ends as a run record',
};

/** Scans the backlog in batches. The run record shows the outcome, whether the scan completes or fails. */
export const scanWaiting = defineStage(
  SCAN_STAGE,
  async (context: ScanContext, mode: WaitingMode): Promise<Scanned> => {
    const { lease, runId } = context;
    const basis = await lease.work(RUN_RECORD, async (tx) => {
      const found = await requireEvaluationBasis(tx);
      await endInterruptedScans(tx, runId);
      await beginRun(tx, { runId, kind: 'scan', mode, ...found });
      return found;
    });
    let widened: string | null = null;
    let covered = false;
    let counts = NOTHING_SCANNED;
    try {
      const begun = await lease.work(WORK, (tx, at) => begin(tx, context, mode, basis, at));
      // Births that could not be revised with their group.
      if (begun.retries && begun.storm === null)
        await tryAgain(
          { lease, round: 'main', stopIfRequested: () => context.stopIfRequested() },
          { ...basis, runId },
        );
      let throttled: string | null = null;
      for (let more = true; more; ) {
        context.stopIfRequested();
        const batch = await lease.work(WORK, (tx, at) => scanBatch(tx, context, mode, begun, at));
        counts = addCounts(counts, batch.counts);
        covered ||= batch.covered;
        widened ??= batch.widened;
        more = batch.more;
        context.onProgress(counts.lookedAt);
        if (more && begun.storm !== null) {
          throttled = throttledText(begun.storm);
          more = false;
        }
      }
      const unneeded = await lease.work(RUN_RECORD, async (tx, end) => {
        if (mode === 'incremental' && counts.lookedAt > 0) await checkSnapshots(tx, context, basis, end);
        return finish(tx, context, { counts, throttled, mode, basis, covered }, end);
      });
      return { counts, basis, widened, throttled, unneeded };
    } catch (error) {
      await noteFailure(context, counts, error);
      throw error;
    }
  },
  ({ counts: { lookedAt, evaluated, changed } }) => ({ groups: lookedAt, evaluated, changed }),
);

/**
 * Records the failure in the row of the run. A cancelled session cannot write it; the caller gets the first
 * error.
 */
export async function noteFailure(
  { db, runId }: Pick<ScanContext, 'db' | 'runId'>,
  counts: ScanCounts,
  error: unknown,
): Promise<void> {
  const message = error instanceof Error ? error.message : String(error);
  await db
    .transaction({ isolation: 'read committed', retries: 5 }, async (tx) => {
      await failRun(tx, runId, { counts: { ...counts }, error: message });
    })
    .catch(() => undefined);
}
