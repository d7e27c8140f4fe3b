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
import { readRulesInForce, readStanding, type Standing } from '../follow/index.js';
import { type Settle, settleAll } from '../supervision.js';
import { isAroundDue, noteAround } from './around.js';
import { type DueGroup, readDueGroups, readRisk, readScanPace, type ScanPace } from './backlog.js';
import { countGroups } from './backlog.sql.js';
import { scanErrors } from './errors.js';
import { addCounts, findDueObjects, NOTHING_SCANNED, type ScanCounts, scanGroups } from './evaluate.js';
import { noticeExceptions, readUnneeded } from './exceptions.js';

const WORK = { isolation: 'repeatable read', statementTimeoutMs: STATEMENT_LIMIT_MS, retries: 10 } as const;

/** The modes that look at what waits. */
export type WaitingMode = Exclude<ScanMode, 'full'>;

export interface ScanContext {
  readonly db: Database;
  readonly mapping: HostMapping;
  readonly announce: Announce;
  readonly runId: string;
  readonly lease: Lease;
  /** Whether the lease is given up with the end of the scan. */
  readonly leaves: boolean;
  /** Findings of rooms above: seen to before, so that what they mark is looked at, and after. */
  readonly settles: readonly Settle[];
  readonly onProgress: (done: number) => void;
  /** Throws when the run was interrupted or has lost its lease. */
  stopIfAsked(): void;
}

export interface Scanned {
  readonly counts: ScanCounts;
  readonly standing: Standing;
  /** Why everything that waits was taken up at once; null: it was not. */
  readonly widened: string | null;
  /** Exceptions in force that accept nothing. */
  readonly unneeded: readonly string[];
}

/** What to go on from; refused before the first backfill. */
export async function requireStanding(tx: Transaction): Promise<Standing> {
  const standing = await readStanding(tx);
  if (standing === undefined) throw scanErrors.scan_before_backfill('no backfill has been completed');
  return standing;
}

interface Batch {
  readonly counts: ScanCounts;
  readonly more: boolean;
  readonly widened: string | null;
  /** When it was done. */
  readonly end: string;
}

interface TakenUp {
  readonly at: string;
  readonly due: readonly DueGroup[];
  /** Whether what hangs on no group is to be looked at, too. */
  readonly around: boolean;
  readonly widened: string | null;
}

/** Fewer are quickly done in any order, and in one transaction. */
const WORTH_WIDENING = 20;

/** What to take up now. Where a good part of all groups waits, one pass over all of them is cheaper than many small ones. */
async function takeUp(tx: Transaction, mode: WaitingMode, pace: ScanPace, at: string): Promise<TakenUp> {
  const restMs = mode === 'event' ? pace.debounce_ms : 0;
  const where = { at, restMs, expired: mode === 'incremental', risk: await readRisk(tx) };
  const [due, isDue] = await tx.together(
    () => [readDueGroups(tx, { ...where, limit: pace.at_once }), isAroundDue(tx)],
    { keptPlans: true },
  );
  const taken = { at, around: mode === 'incremental' && isDue };
  if (due.length < WORTH_WIDENING) return { ...taken, due, widened: null };
  const { groups } = await tx.one(countGroups, {});
  if (due.length <= Number(groups) * pace.full_share) return { ...taken, due, widened: null };
  const all = due.length < pace.at_once ? due : await readDueGroups(tx, { ...where, limit: Number(groups) });
  const widened = `${all.length} of ${groups} inventory groups wait: looked at in one pass`;
  return { ...taken, due: all, widened };
}

async function scanBatch(
  tx: Transaction,
  context: ScanContext,
  { standing, pace, noticed }: Pick<Begun, 'standing' | 'pace' | 'noticed'>,
  { at, due, around, widened }: TakenUp,
): Promise<Batch> {
  const { runId, lease, mapping, announce } = context;
  if (due.length === 0 && !around && !noticed)
    return { counts: NOTHING_SCANNED, more: false, widened, end: at };
  const [rules, objects] = await tx.together(() => [
    readRulesInForce(tx),
    findDueObjects(tx, due, { at, rulesetVersion: standing.rulesetVersion }),
  ]);
  const desk = { mapping, announce, desk: { lease, round: 'main' } };
  const all = { ...standing, runId, at, rules, around, look: noticed };
  const counts = await scanGroups(tx, desk, due, objects, all);
  if (around) await noteAround(tx, lease);
  const [, moved, end] = await tx.together(() => [
    advance(tx, lease, 'main', { summary: { looked_at: counts.lookedAt, evaluated: counts.evaluated } }),
    // What was decided just now may be what an exception rests on: then it concerns others, too.
    noticeExceptions(tx, { mapping, at }),
    readServerTime(tx),
  ]);
  return { counts, more: moved > 0 || (widened === null && due.length === pace.at_once), widened, end };
}

async function open(
  tx: Transaction,
  { runId }: ScanContext,
  mode: WaitingMode,
  at: string,
): Promise<Standing> {
  const standing = await requireStanding(tx);
  await beginRun(tx, { runId, kind: 'scan', mode, at, ...standing });
  return standing;
}

/** Findings of rooms above are seen to. */
async function settle(tx: Transaction, { mapping, runId, settles }: ScanContext, at: string): Promise<void> {
  await settleAll(tx, { mapping, runId, at }, settles);
}

/** Findings of rooms above are seen to, the books of a run closed, and it is said that it has ended. Returns which exceptions nothing needs by now. */
async function finish(
  tx: Transaction,
  context: ScanContext,
  counts: ScanCounts,
  at: string,
): Promise<readonly string[]> {
  const { runId, mapping, lease } = context;
  const announce = () =>
    announceCompletion(tx, 'candidate.scan_completed', { ...counts }, { mapping, runId, at });
  const looked = counts.lookedAt > 0;
  const [unneeded] = await tx.together(() => [
    readUnneeded(tx, at),
    finishRun(tx, runId, { at, counts: { ...counts } }),
    looked ? settle(tx, context, at) : announce(),
    ...(context.leaves ? [lease.releaseWith(tx)] : []),
  ]);
  // What was found is told before that all of it has been found.
  if (looked) await announce();
  return unneeded;
}

interface Begun {
  readonly standing: Standing;
  readonly pace: ScanPace;
  /** An exception stands elsewhere than before: findings about it have to be looked at, whether it concerns a group or none. */
  readonly noticed: boolean;
  /** What was done with what little waited. */
  readonly counts: ScanCounts;
  /** Where that was all, and the books are closed. */
  readonly over: Pick<Scanned, 'unneeded'> | undefined;
}

/** Opens the books. What little waits is looked at, and the books are closed, in the same transaction. */
async function begin(tx: Transaction, context: ScanContext, mode: WaitingMode, at: string): Promise<Begun> {
  const { mapping, runId } = context;
  // What exceptions and findings of rooms above mark is marked before anybody asks what waits.
  const [standing, usual, moved] = await tx.together(() => [
    requireStanding(tx),
    readScanPace(tx),
    noticeExceptions(tx, { mapping, at }),
    settle(tx, context, at),
    readRisk(tx),
  ]);
  const noticed = moved > 0;
  // What people decided, or a date, does not come in bursts that would be worth waiting for.
  const pace = noticed ? { ...usual, debounce_ms: 0 } : usual;
  const few = Math.min(pace.at_once, WORTH_WIDENING);
  const [, taken] = await tx.together(() => [
    beginRun(tx, { runId, kind: 'scan', mode, at, ...standing }),
    takeUp(tx, mode, { ...pace, at_once: few }, at),
  ]);
  const begun = { standing, pace, noticed };
  if (taken.due.length >= few) return { ...begun, counts: NOTHING_SCANNED, over: undefined };
  const { counts, more, end } = await scanBatch(tx, context, begun, taken);
  if (more) return { ...begun, counts, over: undefined };
  return { ...begun, counts, over: { unneeded: await finish(tx, context, counts, end) } };
}

const BOOKS = { isolation: 'read committed', retries: 5 } as const;

/** Scans what waits, batch by batch. However it ends, there is a run in the books that says so. */
export async function scanWaiting(context: ScanContext, mode: WaitingMode): Promise<Scanned> {
  const { lease } = context;
  let widened: string | null = null;
  let counts = NOTHING_SCANNED;
  try {
    const begun = await lease.work(WORK, (tx, at) => begin(tx, context, mode, at));
    const { standing, pace } = begun;
    counts = begun.counts;
    if (begun.over !== undefined) return { counts, standing, widened, ...begun.over };
    for (;;) {
      context.stopIfAsked();
      const batch = await lease.work(WORK, async (tx, at) =>
        scanBatch(tx, context, begun, await takeUp(tx, mode, pace, at)),
      );
      counts = addCounts(counts, batch.counts);
      widened ??= batch.widened;
      context.onProgress(counts.lookedAt);
      if (!batch.more) break;
    }
    const unneeded = await lease.work(BOOKS, (tx, end) => finish(tx, context, counts, end));
    return { counts, standing, widened, unneeded };
  } catch (error) {
    await noteFailure(context, counts, error, async (tx) =>
      open(tx, context, mode, await readServerTime(tx)),
    );
    throw error;
  }
}

/** A run that failed says why in its own row; whoever has been cancelled cannot write one, and the first error is the one to tell. */
export async function noteFailure(
  { db, runId }: Pick<ScanContext, 'db' | 'runId'>,
  counts: ScanCounts,
  error: unknown,
  /** Opens the books of a run that may have failed before anything of it was kept. */
  open?: (tx: Transaction) => Promise<unknown>,
): Promise<void> {
  const message = error instanceof Error ? error.message : String(error);
  await db
    .transaction({ isolation: 'read committed', retries: 5 }, async (tx) => {
      await open?.(tx);
      await failRun(tx, runId, { at: await readServerTime(tx), counts: { ...counts }, error: message });
    })
    .catch(() => undefined);
}
