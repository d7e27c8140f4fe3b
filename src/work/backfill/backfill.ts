// Owns the run of a backfill, from an empty inventory to a ledger that closes. Phases: seeding (snapshot,
// rules, sweep) → reconciling (compare with the independent recount, repair) → tailing (proved and closed; a
// run in this phase catches up and proves again). The transactions that do the work also store the phase with
// the cursor, so the next run resumes there after any crash.
import { readServerTime, type Transaction } from '../../db/index.js';
import { captureSnapshot } from '../../inventory/snapshot/index.js';
import { readRunning, readSweepBounds, startTail, zeroRunning } from '../../inventory/tail/index.js';
import { advance } from '../../record/cursor/index.js';
import { draftRuleset, readActive } from '../../rule/ruleset/index.js';
import {
  analyzeCandidates,
  beginRun,
  checkDangling,
  evaluateGroups,
  failRun,
  finishRun,
  materializeUnborn,
  readRules,
  type VerdictStamp,
} from '../../verdict/candidate/index.js';
import { findAllSuspects, syncInputFindings } from '../../verdict/input/index.js';
import { syncLedgerFindings } from '../../verdict/ledger/index.js';
import { announceCompletion } from '../announcement.js';
import {
  type BirthChecks,
  type Compared,
  checkAllBirths,
  checkBirthsIfChanged,
  endInterruptedRuns,
  keepProof,
  reconcile,
  retryTargetOf,
} from '../closing/index.js';
import { tryAgain } from '../follow/index.js';
import type { BackfillContext } from './context.js';
import { type BackfillCounts, readCounts, summaryOf } from './counts.js';
import { syncFindings } from './findings.js';
import { yieldToHost } from './guard.js';
import { readPace } from './pace.js';
import { dropPartials, mergePartials } from './partial.js';
import type { BackfillPhase, BackfillReport } from './report.js';
import { type BackfillState, keepState, readBackfillState, splitIds } from './state.js';
import { sweep } from './sweep.js';

const WORK = { isolation: 'repeatable read', retries: 5 } as const;
const READ_ONLY = { isolation: 'repeatable read', readOnly: true } as const;

/**
 * The active ruleset, else a draft of the rules in the tables; under a draft no verdict counts as verified.
 */
export async function provideRuleset({ db }: BackfillContext): Promise<string> {
  return db.transaction({ isolation: 'repeatable read', retries: 5 }, async (tx) => {
    const active = await readActive(tx);
    return active?.version ?? (await draftRuleset(tx)).version;
  });
}

async function requireState({ db }: BackfillContext): Promise<BackfillState> {
  const state = await db.transaction(READ_ONLY, readBackfillState);
  if (state === undefined) throw new Error('the state of the backfill was not stored');
  return state;
}

/**
 * Captures the first snapshot, evaluates the groups under it and starts the tail. From here on no change is
 * missed.
 */
async function begin(
  context: BackfillContext,
  rulesetVersion: string,
  parts: number,
): Promise<BackfillState> {
  const { db, announce, lease, intake, runId } = context;
  context.onProgress({ step: 'snapshot', done: 0, total: 1 });
  const { id: snapshotRef, document } = await captureSnapshot(db, {
    kind: 'backfill',
    phase: 'seeding',
    // The sweep and its final comparison serve as the second reader.
    secondReader: null,
    announce,
    activeRuleset: async () => rulesetVersion,
  });
  const stamp = { rulesetVersion, runId };
  await intake.work(WORK, async (tx) => {
    const at = await readServerTime(tx);
    const rules = await readRules(tx);
    const seeding = { ...stamp, at, rules, needsBackfill: true };
    await evaluateGroups(tx, seeding);
    // Must run before zeroRunning: a member without a birth may have a group of its own.
    await materializeUnborn(tx, seeding);
    const tail = await startTail(tx, intake, { schema: db.schema, reason: `backfill ${runId}` });
    await dropPartials(tx);
    await zeroRunning(tx);
    const { first } = await readSweepBounds(tx, { after: null, limit: 1 });
    await keepState(tx, lease, 'seeding', {
      snapshotId: snapshotRef,
      births: BigInt(document.totals.objects),
      horizon: tail.horizon,
      parts: splitIds(first, tail.maxId, parts),
    });
  });
  return requireState(context);
}

/** The snapshot and the readings beside the sweep are as heavy as the sweep itself. */
async function yieldBeforeSeeding(context: BackfillContext): Promise<void> {
  const { db, signal, now } = context;
  const onPause = (note: string) => context.onProgress({ step: 'pause', done: 0, total: 1, note });
  await yieldToHost(db, { signal, now, onPause });
  context.stopIfRequested();
}

/** The ids that the sweep walked through; undefined if it walked through none. */
function sweptRange({ parts, swept }: BackfillState): { from: bigint; to: bigint } | undefined {
  const ends = [...swept, ...parts.map((part) => part.upTo)].filter((id) => id !== null);
  if (ends.length === 0) return undefined;
  const to = ends.reduce((last, id) => (id > last ? id : last));
  return { from: (parts[0]?.after ?? 0n) + 1n, to };
}

interface Swept {
  readonly scanned: bigint;
  readonly batches: number;
  /** The full reading of all births that runs beside the sweep. */
  readonly checks?: BirthChecks;
}

const reportSearch = (context: BackfillContext, done: bigint, { births }: BackfillState): void =>
  context.onProgress({ step: 'search', done: Number(done), total: Number(births) });

async function sweepAll(
  context: BackfillContext,
  state: BackfillState,
  stamp: Omit<VerdictStamp, 'at'>,
): Promise<Swept> {
  const { db, lease, intake } = context;
  const { rules, known, pace } = await db.transaction(READ_ONLY, async (tx) => ({
    rules: await readRules(tx),
    known: new Set((await readRunning(tx)).map((group) => group.key)),
    pace: await readPace(tx),
  }));
  let isSweeping = false;
  let searched = 0n;
  const onSearch = (births: bigint) => {
    searched = births;
    if (!isSweeping) reportSearch(context, searched, state);
  };
  // Runs beside the sweep on its own connection: it only reads, and takes a third of the sweep's time.
  const checking = db.transaction(READ_ONLY, (tx) => checkAllBirths(tx, onSearch));
  checking.catch(() => undefined);
  // One pass over the table finds the births that are evaluated one by one. The tail sees all later writes.
  const suspects = await db.transaction(READ_ONLY, async (tx) =>
    findAllSuspects(tx, { ...rules, at: await readServerTime(tx) }),
  );
  isSweeping = true;
  const done = await sweep(context, { state, rules, known, stamp, pace, suspects });
  isSweeping = false;
  reportSearch(context, searched, state);
  const checks = await checking;
  await intake.work(WORK, async (tx) => {
    const births = await mergePartials(tx, await readServerTime(tx));
    // Also under the fence of the tail: another session that took it over may have counted these births
    // already.
    await advance(tx, intake, 'wide', { summary: { merged: String(births) } });
    await keepState(tx, lease, 'reconciling', state, { swept: String(state.scanned + done.scanned) });
    await analyzeCandidates(tx);
  });
  return { ...done, checks };
}

interface Ended {
  readonly closingSnapshotId: bigint | null;
  readonly counts: BackfillCounts;
  readonly phase: BackfillPhase;
}

/** Records the outcome in one transaction: snapshot, audit, findings, run and phase. */
async function end(
  tx: Transaction,
  at: string,
  context: BackfillContext,
  state: BackfillState,
  rulesetVersion: string,
  swept: Swept,
  compared: Compared,
): Promise<Ended> {
  const { runId, lease } = context;
  const { proof, closing, recount } = compared;
  const closed = proof.closed && closing?.ledger.closes === true;
  const captured =
    closed && recount !== undefined
      ? await keepProof(tx, context, rulesetVersion, compared, { closing, recount })
      : undefined;
  const counts = await readCounts(tx);
  const phase = captured === undefined ? state.phase : 'tailing';
  const map = recount?.map ?? (await readRules(tx)).map;
  const run = { runId, at, ruleset: rulesetVersion, activeRuleset: rulesetVersion };
  const ledger = closing?.ledger;
  if (ledger !== undefined) await syncLedgerFindings(tx, ledger, { ...context, at });
  await syncFindings(tx, context, { at, rulesetVersion, proof, ledger, counts });
  await context.announce(tx, (await checkDangling(tx, run)).transitions, run);
  await context.announce(tx, await syncInputFindings(tx, run, { map }), run);
  // Announce the findings before the completion of the run.
  const done = { groups: Number(counts.groups), batches: swept.batches };
  const range = sweptRange(state);
  const sweep = { counts: done, ...(range === undefined ? {} : { range }) };
  await announceCompletion(tx, 'backfill.sweep_completed', sweep, run);
  const progress = {
    phase,
    counts: { ...swept, ...counts, changed: compared.changed },
    proof: { ...proof },
    ...(closing === undefined ? {} : { ledger: { ...closing.document } }),
    ...(captured === undefined ? {} : { closingSnapshotRef: captured.id }),
  };
  if (captured === undefined) {
    const error = proof.verified
      ? 'the proof or the ledger does not close'
      : 'the comparison exceeded the time limit of a snapshot: nothing was verified';
    await failRun(tx, runId, { ...progress, error });
  } else await finishRun(tx, runId, progress);
  const snapshotId = captured?.id ?? state.snapshotId;
  const summary = await summaryOf(tx, swept.scanned, counts);
  await keepState(tx, lease, phase, { ...state, snapshotId }, { closed, ...summary });
  return { closingSnapshotId: captured?.id ?? null, counts, phase };
}

/** Starts a backfill or resumes one. */
export async function runBackfill(context: BackfillContext, parts: number): Promise<BackfillReport> {
  const started = performance.now();
  const { db, runId, intake } = context;
  const rulesetVersion = await provideRuleset(context);
  const found = await db.transaction(READ_ONLY, readBackfillState);
  await db.transaction({ isolation: 'read committed', retries: 5 }, async (tx) => {
    await endInterruptedRuns(tx, runId);
    await beginRun(tx, {
      runId,
      kind: 'backfill',
      rulesetVersion,
      phase: found?.phase ?? 'seeding',
      ...(found === undefined ? {} : { snapshotRef: found.snapshotId }),
    });
  });
  if ((found?.phase ?? 'seeding') === 'seeding') await yieldBeforeSeeding(context);
  let state = found ?? (await begin(context, rulesetVersion, parts));
  const stamp = { rulesetVersion, runId };
  let swept: Swept = { scanned: 0n, batches: 0 };
  if (state.phase === 'seeding') {
    swept = await sweepAll(context, state, stamp);
    state = await requireState(context);
  }
  await tryAgain({ ...retryTargetOf(context), stopIfRequested: () => context.stopIfRequested() }, stamp);
  const { checks: checked, ...totals } = swept;
  const checks =
    checked ??
    (await db.transaction(READ_ONLY, (tx) =>
      checkBirthsIfChanged(tx, (births) => reportSearch(context, births, state)),
    ));
  const compared = await reconcile(context, stamp, checks);
  context.onProgress({ step: 'close', done: 1, total: 1 });
  const ended = await intake.work(WORK, (tx, at) =>
    end(tx, at, context, state, rulesetVersion, totals, compared),
  );
  return {
    runId: runId,
    snapshotId: state.snapshotId,
    closingSnapshotId: ended.closingSnapshotId,
    rulesetVersion: rulesetVersion,
    resumed: found !== undefined && found.phase !== 'tailing',
    scanned: swept.scanned,
    batches: swept.batches,
    groups: ended.counts.groups,
    candidateRows: ended.counts.candidateRows,
    objectsMaterialized: ended.counts.objects,
    changedRows: compared.changed,
    deadLettered: ended.counts.deadLettered,
    retrying: ended.counts.retrying,
    phase: ended.phase,
    proof: compared.proof,
    ledger: compared.closing?.ledger ?? null,
    elapsedMs: Math.round(performance.now() - started),
  };
}
