// Owns a scan of what waits: groups just marked (event), or everything that is dirty or has run out (incremental). Groups are taken up in
// the order of risk times time, a few hundred per transaction, under the lease of scans: no two scanners look at one group. Where
// nothing waits, nothing is written but the run.
import { type Database, readServerTime, type Transaction } from '../../db/index.js';
import type { HostMapping } from '../../host/index.js';
import { type Announce, STATEMENT_LIMIT_MS } from '../../inventory/snapshot/index.js';
import type { Lease } from '../../record/cursor/index.js';
import { advance } from '../../record/cursor/index.js';
import { beginRun, failRun, finishRun, type ScanMode } from '../../verdict/candidate/index.js';
import { announceCompletion } from '../announcement.js';
import { type EvaluationBasis, readEvaluationBasis, readRulesInForce } from '../follow/index.js';
import { type SyncFindings, syncAllFindings } from '../supervision.js';
import { type DueGroup, readDueGroups, readScanPace, type ScanPace } from './backlog.js';
import { countGroups } from './backlog.sql.js';
import { scanErrors } from './errors.js';
import { addCounts, NOTHING_SCANNED, type ScanCounts, scanGroups } from './evaluate.js';
import { noticeExceptions, readUnneeded } from './exceptions.js';
import { areUngroupedChecksDue, recordUngroupedChecks } from './ungrouped.js';

const WORK = { isolation: 'repeatable read', statementTimeoutMs: STATEMENT_LIMIT_MS, retries: 10 } as const;

/** The modes that look at what waits. */
export type WaitingMode = Exclude<ScanMode, 'full'>;

export interface ScanContext {
  readonly db: Database;
  readonly mapping: HostMapping;
  readonly announce: Announce;
  readonly runId: string;
  readonly lease: Lease;
  /** Findings of rooms above: seen to before, so that what they mark is looked at, and after. */
  readonly findingSyncs: readonly SyncFindings[];
  readonly onProgress: (done: number) => void;
  /** Throws when the run was interrupted or has lost its lease. */
  stopIfRequested(): void;
}

export interface Scanned {
  readonly counts: ScanCounts;
  readonly basis: EvaluationBasis;
  /** Why everything that waits was taken up at once; null: it was not. */
  readonly widened: string | null;
  /** Exceptions in force that accept nothing. */
  readonly unneeded: readonly string[];
}

/** What to go on from; refused before the first backfill. */
export async function requireEvaluationBasis(tx: Transaction): Promise<EvaluationBasis> {
  const basis = await readEvaluationBasis(tx);
  if (basis === undefined) throw scanErrors.scan_before_backfill('no backfill has been completed');
  return basis;
}

interface Batch {
  readonly counts: ScanCounts;
  readonly more: boolean;
  readonly widened: string | null;
}

interface TakenUp {
  readonly due: readonly DueGroup[];
  /** Whether what hangs on no group is to be looked at, too. */
  readonly ungrouped: boolean;
  readonly widened: string | null;
}

/** Fewer are quickly done in any order. */
const WORTH_WIDENING = 20;

/** What to take up now. Where a good part of all groups waits, one pass over all of them is cheaper than many small ones. */
async function takeUp(tx: Transaction, mode: WaitingMode, pace: ScanPace, at: string): Promise<TakenUp> {
  const restMs = mode === 'event' ? pace.debounce_ms : 0;
  const where = { at, restMs, expired: mode === 'incremental' };
  const due = await readDueGroups(tx, { ...where, limit: pace.at_once });
  const ungrouped = mode === 'incremental' && (await areUngroupedChecksDue(tx));
  if (due.length < WORTH_WIDENING) return { due, ungrouped, widened: null };
  const { groups } = await tx.one(countGroups, {});
  if (due.length <= Number(groups) * pace.full_share) return { due, ungrouped, widened: null };
  const all = due.length < pace.at_once ? due : await readDueGroups(tx, { ...where, limit: Number(groups) });
  const widened = `${all.length} of ${groups} inventory groups wait: looked at in one pass`;
  return { due: all, ungrouped, widened };
}

/** What holds for all batches of a scan. */
interface Begun {
  readonly basis: EvaluationBasis;
  readonly pace: ScanPace;
  /** An exception stands elsewhere than before: findings about it have to be looked at, whether it concerns a group or none. */
  readonly noticed: boolean;
}

/** Looks at some of what waits. */
async function scanBatch(
  tx: Transaction,
  context: ScanContext,
  mode: WaitingMode,
  { basis, pace, noticed }: Begun,
  at: string,
): Promise<Batch> {
  const { runId, lease, mapping, announce } = context;
  const { due, ungrouped, widened } = await takeUp(tx, mode, pace, at);
  if (due.length === 0 && !ungrouped && !noticed) return { counts: NOTHING_SCANNED, more: false, widened };
  const rules = await readRulesInForce(tx);
  const retryTarget = { mapping, announce, retryTarget: { lease, round: 'main' } };
  const counts = await scanGroups(tx, retryTarget, due, {
    ...basis,
    runId,
    at,
    rules,
    ungrouped,
    look: noticed,
  });
  if (ungrouped) await recordUngroupedChecks(tx, lease);
  await advance(tx, lease, 'main', { summary: { looked_at: counts.lookedAt, evaluated: counts.evaluated } });
  // What was decided just now may be what an exception rests on: then it concerns others, too.
  const moved = await noticeExceptions(tx, { mapping, at });
  return { counts, more: moved > 0 || (widened === null && due.length === pace.at_once), widened };
}

/** Marks what exceptions and findings of rooms above concern, before anybody asks what waits. */
async function begin(
  tx: Transaction,
  { mapping, runId, findingSyncs }: ScanContext,
  basis: EvaluationBasis,
  at: string,
): Promise<Begun> {
  await syncAllFindings(tx, { mapping, runId, at }, findingSyncs);
  const noticed = (await noticeExceptions(tx, { mapping, at })) > 0;
  const pace = await readScanPace(tx);
  // What people decided, or a date, does not come in bursts that would be worth waiting for.
  return { basis, noticed, pace: noticed ? { ...pace, debounce_ms: 0 } : pace };
}

/** Closes the books of a run, and says that it has ended. Returns which exceptions nothing needs by now. */
async function finish(
  tx: Transaction,
  { runId, mapping, findingSyncs }: ScanContext,
  counts: ScanCounts,
  at: string,
): Promise<readonly string[]> {
  // What was found is told before that all of it has been found.
  if (counts.lookedAt > 0) await syncAllFindings(tx, { mapping, runId, at }, findingSyncs);
  await finishRun(tx, runId, { at, counts: { ...counts } });
  await announceCompletion(tx, 'candidate.scan_completed', { ...counts }, { mapping, runId, at });
  return readUnneeded(tx, at);
}

const BOOKS = { isolation: 'read committed', retries: 5 } as const;

/** Scans what waits, batch by batch. However it ends, there is a run in the books that says so. */
export async function scanWaiting(context: ScanContext, mode: WaitingMode): Promise<Scanned> {
  const { lease, runId } = context;
  const basis = await lease.work(BOOKS, async (tx, at) => {
    const found = await requireEvaluationBasis(tx);
    await beginRun(tx, { runId, kind: 'scan', mode, at, ...found });
    return found;
  });
  let widened: string | null = null;
  let counts = NOTHING_SCANNED;
  try {
    const begun = await lease.work(WORK, (tx, at) => begin(tx, context, basis, at));
    for (let more = true; more; ) {
      context.stopIfRequested();
      const batch = await lease.work(WORK, (tx, at) => scanBatch(tx, context, mode, begun, at));
      counts = addCounts(counts, batch.counts);
      widened ??= batch.widened;
      more = batch.more;
      context.onProgress(counts.lookedAt);
    }
    const unneeded = await lease.work(BOOKS, (tx, end) => finish(tx, context, counts, end));
    return { counts, basis, widened, unneeded };
  } catch (error) {
    await noteFailure(context, counts, error);
    throw error;
  }
}

/** A run that failed says why in its own row; whoever has been cancelled cannot write one, and the first error is the one to tell. */
export async function noteFailure(
  { db, runId }: Pick<ScanContext, 'db' | 'runId'>,
  counts: ScanCounts,
  error: unknown,
): Promise<void> {
  const message = error instanceof Error ? error.message : String(error);
  await db
    .transaction({ isolation: 'read committed', retries: 5 }, async (tx) => {
      await failRun(tx, runId, { at: await readServerTime(tx), counts: { ...counts }, error: message });
    })
    .catch(() => undefined);
}
