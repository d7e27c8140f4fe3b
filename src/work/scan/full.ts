// Owns the full scan: it evaluates everything, dirty or not, compares with the independent recount, and
// closes the ledger. It is the safety net: it finds and reports changes that the tail missed. As a closing
// run it holds the tail exclusively, and the intake gives way to it.

import { type Database, type Prober, readServerTime, type Transaction } from '../../db/index.js';
import { readKnownGroups } from '../../inventory/group/index.js';
import { type Announce, captureSnapshot } from '../../inventory/snapshot/index.js';
import { noteReview } from '../../inventory/tail/index.js';
import { defineStage } from '../../kernel/index.js';
import type { Lease } from '../../record/cursor/index.js';
import type { Transitions } from '../../record/finding/index.js';
import {
  beginRun,
  checkDangling,
  failRun,
  finishRun,
  forgetQuestions,
  readRules,
  reconcileRequestedRows,
} from '../../verdict/candidate/index.js';
import { evaluateCoverage } from '../../verdict/coverage/index.js';
import { type Detection, runDetectors, syncDetectorFindings } from '../../verdict/detector/index.js';
import { syncInputFindings } from '../../verdict/input/index.js';
import { type Ledger, syncLedgerFindings } from '../../verdict/ledger/index.js';
import { announceCompletion } from '../announcement.js';
import {
  type ClosingContext,
  type Compared,
  checkAllBirths,
  type DecidedState,
  endInterruptedRuns,
  keepProof,
  type Proof,
  reconcile,
} from '../closing/index.js';
import { type EvaluationBasis, tryAll } from '../follow/index.js';
import { intakeRound, startWatching } from '../intake/index.js';
import { type SyncFindings, syncAllFindings } from '../supervision.js';
import { checkContradictions, type Explanation, hasUnmarked, movedIn, readLast } from './contradiction.js';
import { addCounts, NOTHING_SCANNED, type ScanCounts, syncScanFindings } from './evaluate.js';
import { announceExceptions } from './exceptions.js';
import { recordOutcome, WHOLE_AFTER } from './failed.js';
import { announceScan, requireEvaluationBasis, SCAN_STAGE } from './scan.js';
import { watchCandidates } from './watch.js';

const READ_ONLY = { isolation: 'repeatable read', readOnly: true } as const;
const WORK = { isolation: 'repeatable read', retries: 5 } as const;

export interface FullScan {
  readonly counts: ScanCounts;
  readonly basis: EvaluationBasis;
  readonly proof: Proof;
  readonly ledger: Ledger | null;
  readonly detection: Detection;
  readonly closingSnapshotId: bigint | null;
  /** Valid rows that the scan derived otherwise, and that no change explains. */
  readonly contradicted: number;
}

/** Evaluates the coverage of everything in the state to be closed. */
async function coverAll(
  tx: Transaction,
  context: ClosingContext,
  scanLease: Lease,
  state: DecidedState,
): Promise<{ readonly counts: ScanCounts; readonly changed: bigint }> {
  const { runId, at, rules } = state;
  // No marks needed: everything is evaluated below.
  await announceExceptions(tx, { at });
  await forgetQuestions(tx, at);
  // What this run finds is the reason, so nothing of it contradicts a verdict.
  const requestedState = { ...state, cause: 'evaluation' };
  // The new verdicts of containers decide whether an exception for one of their members is in force.
  await reconcileRequestedRows(tx, requestedState);
  await startWatching(tx, context.intake, rules.map);
  let counts = NOTHING_SCANNED;
  const cover = async (part: { inventoryKeys?: readonly string[]; ungrouped?: 'everything' }) => {
    const coverage = await evaluateCoverage(tx, { runId, at, rules, audit: true, ...part });
    const written = await syncScanFindings(tx, context, coverage, state);
    const { lookedAt, changed } = coverage;
    const seen = addCounts(counts, { ...NOTHING_SCANNED, lookedAt, evaluated: lookedAt, changed });
    counts = addTransitions(seen, written);
  };
  const groups = (await readKnownGroups(tx)).map(({ key }) => ({ inventoryKey: key }));
  // A group that cannot be evaluated must not keep the ledger of all others open.
  const failed = await tryAll(
    tx,
    groups,
    (part) =>
      cover(part.length === groups.length ? {} : { inventoryKeys: part.map((each) => each.inventoryKey) }),
    WHOLE_AFTER,
  );
  await recordOutcome(tx, scanLease, new Map(), failed, at);
  if (failed.length > 0) await cover({ inventoryKeys: [], ungrouped: 'everything' });
  // The findings of this evaluation are reasons for rows, too; the rows raise none.
  const requested = await reconcileRequestedRows(tx, requestedState);
  const unevaluable = new Set(failed.map(({ item }) => item.inventoryKey));
  const keys = requested.map((each) => each.inventoryKey).filter((key) => !unevaluable.has(key));
  if (keys.length > 0) await cover({ inventoryKeys: [...new Set(keys)] });
  counts = { ...counts, failed: failed.length };
  return { counts, changed: BigInt(counts.changed) };
}

async function end(
  tx: Transaction,
  context: ClosingContext,
  basis: EvaluationBasis,
  found: {
    readonly compared: Compared;
    readonly detection: Detection;
    readonly counts: ScanCounts;
    readonly explanation: Explanation;
    readonly findingSyncs: readonly SyncFindings[];
  },
): Promise<{
  readonly snapshot: bigint | null;
  readonly counts: ScanCounts;
  readonly contradicted: number;
}> {
  const { compared, detection } = found;
  const { rulesetVersion } = basis;
  const { runId } = context;
  const { proof, closing, recount } = compared;
  const written: Transitions[] = [];
  const announce: Announce = (scope, transitions, about) => {
    written.push(transitions);
    return context.announce(scope, transitions, about);
  };
  const at = await readServerTime(tx);
  const run = { runId, at, ruleset: rulesetVersion, activeRuleset: rulesetVersion };
  const isClosed = proof.closed && closing?.ledger.closes === true;
  const captured =
    isClosed && recount !== undefined
      ? await keepProof(tx, context, rulesetVersion, compared, { closing, recount })
      : undefined;
  if (closing !== undefined) await syncLedgerFindings(tx, closing.ledger, { ...context, announce, at });
  await announce(tx, (await checkDangling(tx, run)).transitions, run);
  const map = recount?.map ?? (await readRules(tx)).map;
  await announce(tx, await syncInputFindings(tx, run, { map }), run);
  await announce(tx, await syncDetectorFindings(tx, detection, run), run);
  await announce(tx, await watchCandidates(tx, run), run);
  const { changed, contradicted, transitions } = await checkContradictions(tx, found.explanation, run);
  await announce(tx, transitions, run);
  await syncAllFindings(tx, run, found.findingSyncs, announce);
  const counts = written.reduce(addTransitions, { ...found.counts, changed });
  await announceScan(tx, { counts, mode: 'full', basis, covered: true }, run);
  await announceCompletion(
    tx,
    'coverage.audit_completed',
    { counts: { ...counts, ...countsOf(detection) } },
    run,
  );
  const progress = {
    counts: { ...counts, contradicted, written: compared.changed, detectors: countsOf(detection) },
    proof: { ...proof },
    ...(closing === undefined ? {} : { ledger: { ...closing.document } }),
    ...(captured === undefined ? {} : { closingSnapshotRef: captured.id }),
  };
  if (captured !== undefined) {
    // This run has looked at everything.
    await noteReview(tx, context.intake, 'none');
    await finishRun(tx, runId, progress);
  } else
    await failRun(tx, runId, {
      ...progress,
      error: proof.verified
        ? 'the proof or the ledger does not close'
        : 'the comparison exceeded the time limit of a snapshot: nothing was verified',
    });
  return { snapshot: captured?.id ?? null, counts, contradicted };
}

const addTransitions = (
  counts: ScanCounts,
  { raised, resolved, reopened }: Pick<Transitions, 'raised' | 'resolved' | 'reopened'>,
): ScanCounts => ({
  ...counts,
  raised: counts.raised + raised.length,
  resolved: counts.resolved + resolved.length,
  reopened: counts.reopened + reopened.length,
});

const countsOf = ({ passed, violated, notEvaluated }: Detection) => ({
  passed,
  violated,
  not_evaluated: notEvaluated,
});

/** Takes in everything that has changed, like the intake, whose lease the run holds. */
async function takeInAll(context: Parameters<typeof intakeRound>[0]): Promise<void> {
  for (let more = true; more; ) more = (await intakeRound(context, 'wide')).more;
}

/** Scans everything and closes the ledger. */
export const scanAll = defineStage(
  SCAN_STAGE,
  async (
    given: Omit<ClosingContext, 'beforeLedger' | 'walkAll' | 'snapshotKind'>,
    options: {
      /** The lease of scans. */
      readonly lease: Lease;
      readonly prober: Prober | undefined;
      readonly signal: AbortSignal;
      readonly findingSyncs: readonly SyncFindings[];
      readonly onDetectors: (done: number, total: number) => void;
      readonly onSearch: (done: number, total: number) => void;
    },
  ): Promise<FullScan> => {
    const { db, runId, intake }: { db: Database; runId: string; intake: ClosingContext['intake'] } = given;
    let counts = NOTHING_SCANNED;
    const moved = new Set<string>();
    let rebased = false;
    const takeIn = (noticeDeletions: boolean) => takeInAll({ ...given, lease: intake, noticeDeletions });
    const context: ClosingContext = {
      ...given,
      snapshotKind: 'full',
      walkAll: true,
      onRound: (round) => {
        const { keys, everything } = movedIn(round);
        for (const key of keys) moved.add(key);
        rebased ||= everything;
      },
      beforeLedger: async (tx, state) => {
        const covered = await coverAll(tx, given as ClosingContext, options.lease, state);
        // The counts of the last attempt: its state is the one that is closed.
        counts = covered.counts;
        return covered.changed;
      },
    };
    const { announce } = given;
    const { rulesetVersion } = await db.transaction(READ_ONLY, requireEvaluationBasis);
    // What has changed since the last round is marked, and so explained. INVARIANT: nothing is recounted
    // here; the comparison below finds sums that are wrong, and the proof names how many.
    await takeIn(false);
    // The run decides under this snapshot. The comparison at its end is the second reading.
    const opening = await captureSnapshot(db, {
      ...{ kind: 'full', phase: 'opening', secondReader: null, leavesGroups: true, announce },
      activeRuleset: async () => rulesetVersion,
    });
    const basis: EvaluationBasis = { rulesetVersion, snapshotRef: opening.id };
    const began = await db.transaction({ isolation: 'read committed', retries: 5 }, async (tx) => {
      const at = await readServerTime(tx);
      await endInterruptedRuns(tx, runId);
      await beginRun(tx, { runId, kind: 'scan', mode: 'full', ...basis });
      // This run evaluates the rows that the syncs mark.
      await syncAllFindings(tx, { runId, at }, options.findingSyncs);
      return { since: at, after: await readLast(tx) };
    });
    const detection = await runDetectors(db, options.prober, {
      signal: options.signal,
      onProgress: options.onDetectors,
    });
    const births = Number(opening.document.totals.objects);
    const checks = await db.transaction(READ_ONLY, (tx) =>
      checkAllBirths(tx, (done) => options.onSearch(Number(done), births)),
    );
    const compared = await reconcile(context, { rulesetVersion, runId, cause: 'audit' }, checks);
    // What has changed during the run is marked now, if anything needs an explanation.
    if (await db.transaction(READ_ONLY, (tx) => hasUnmarked(tx, began.after, runId))) await takeIn(true);
    const explanation = { ...began, moved, everything: rebased };
    const ended = await intake.work(WORK, (tx) =>
      end(tx, context, basis, {
        compared,
        detection,
        counts,
        explanation,
        findingSyncs: options.findingSyncs,
      }),
    );
    return {
      counts: ended.counts,
      contradicted: ended.contradicted,
      basis,
      proof: compared.proof,
      ledger: compared.closing?.ledger ?? null,
      detection,
      closingSnapshotId: ended.snapshot,
    };
  },
  ({ counts: { lookedAt, evaluated, changed } }) => ({ groups: lookedAt, evaluated, changed }),
);
