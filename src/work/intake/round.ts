// Owns a round of the intake: host changes become dirty marks and signals, in one repeatable-read transaction
// under the lease. A near round reads births with new ids through the primary key. A wide round reads
// everything written to births and logs since the horizon, and all differences in the registries. A round
// without changes writes only its cursors.

import { z } from 'zod';
import type { Transaction } from '../../db/index.js';
import { type ClassMap, readClassMap } from '../../inventory/group/index.js';
import { SCOPES } from '../../inventory/snapshot/index.js';
import {
  INTAKE,
  nearRound,
  noteReview,
  type Review,
  ROUND_TRANSACTION,
  readReview,
  type TailRound,
  wideRound,
} from '../../inventory/tail/index.js';
import { defineStage, type StageContract } from '../../kernel/index.js';
import { advance, type Lease, type Round, readCursor } from '../../record/cursor/index.js';
import { materializeUnborn, reconcileObjectRows, type VerdictStamp } from '../../verdict/candidate/index.js';
import { readTouchedInput, syncInputFindings, syncKeylessFinding } from '../../verdict/input/index.js';
import { announceFindings } from '../announcement.js';
import { readEvaluationBasis } from '../follow/index.js';
import { applyOrSetAside } from './apply.js';
import { followBirths } from './births.js';
import type { Applied, Change } from './change.js';
import type { IntakeContext } from './context.js';
import { intakeErrors } from './errors.js';
import { changesOfInputs } from './inputs.js';
import { changesOfLogs } from './lines.js';
import { type Beginning, LOGS, readLogs } from './log.js';
import { OVERSIGHT_ROUND, oversee } from './oversight.js';
import { announceOwners, termsSchema } from './ownership.js';
import { changesOfRegistries } from './registries.js';
import { beginFromNow, reshapeGroups } from './reshape.js';
import { noteWatched, readDrifted } from './round.sql.js';
import { type RoundSize, sizeFor } from './round-size.js';
import { readIntakeRules } from './rules.js';
import { MEMBER, readDifferences } from './watch.js';

const REGISTRIES_ROUND = 'registries';

/** The lease of the tail, with a cursor for each log and one for the registries. */
export const INTAKE_LEASE = {
  ...INTAKE,
  rounds: [
    ...INTAKE.rounds,
    ...LOGS.map(({ round, idType }): Round => ({ round, idType })),
    { round: REGISTRIES_ROUND, idType: 'integer' },
    { round: OVERSIGHT_ROUND, idType: 'integer' },
  ] as readonly Round[],
} as const;

export interface IntakeRound {
  readonly kind: 'near' | 'wide';
  /** Births that were seen, including those of GCOS findings. */
  readonly births: number;
  /** Log lines and changed registry rows. */
  readonly lines: number;
  readonly registryRows: number;
  /** Changes that GCOS caused: only counted. */
  readonly own: number;
  readonly tombstones: number;
  /** Items that failed and will be retried. */
  readonly setAside: number;
  readonly applied: Applied;
  /** Sources that were reset, with the reason. */
  readonly rebased: readonly string[];
  /** More changes are waiting. */
  readonly more: boolean;
  readonly maxId: bigint | null;
  readonly at: string;
}

const stateSchema = z.object({
  snapshot: z.string().nullable(),
  sources: z.array(z.string()),
  /** The version of each registry, and for how many rounds contents were skipped by version. */
  versions: z.record(z.string(), z.string()).optional(),
  by_versions: z.int().optional(),
  /** How many births without a key the finding reports. */
  keyless: z.string().optional(),
  /** The terms of ownership that were announced. */
  terms: termsSchema.optional(),
});
/**
 * After this many rounds contents are compared regardless of versions: renaming an enum label changes no row
 * version.
 */
const MOST_BY_VERSIONS = 30;
const tailSchema = z.object({ system_identifier: z.string(), timeline: z.string() });

/**
 * Where logs that were never read begin: at the horizon of the tail. The run that set it has read everything
 * before it.
 */
async function readBeginning(tx: Transaction, lease: Lease): Promise<Beginning> {
  const wide = await readCursor(tx, lease, 'wide');
  const kept = tailSchema.safeParse(wide.metadata);
  if (wide.horizon === null || !kept.success)
    throw intakeErrors.intake_not_ready('the tail has not been started');
  return {
    horizon: wide.horizon,
    systemIdentifier: kept.data.system_identifier,
    timeline: kept.data.timeline,
  };
}

interface Read {
  readonly changes: readonly Change[];
  /** Collections with a decision about their input. */
  readonly decidedInput: readonly string[];
  readonly lines: number;
  readonly registryRows: number;
  readonly own: number;
  readonly rebased: readonly string[];
  /** Members changed while nothing could be decided: their rows need a review. */
  readonly deferred: boolean;
  readonly more: boolean;
}

/**
 * Records the registries as they are, unless the intake already does: the first round then finds what changed
 * since. INVARIANT: a run that evaluates coverage of everything calls this in the same snapshot. Otherwise no
 * round would notice an authority that is removed between that run and the first round.
 */
export async function startWatching(tx: Transaction, lease: Lease, map: ClassMap): Promise<void> {
  const cursor = await readCursor(tx, lease, REGISTRIES_ROUND);
  if (stateSchema.safeParse(cursor.metadata).success) return;
  const { sources, versions } = await readDifferences(tx, map);
  const { last_id: snapshot } = await tx.one(readDrifted, { after: null, scopes: [SCOPES.scan] });
  await advance(tx, lease, REGISTRIES_ROUND, {
    metadata: { snapshot: snapshot === null ? null : String(snapshot), sources, versions, by_versions: 0 },
    summary: { began: true },
  });
}

/** Reads logs, registries and snapshots in the round's snapshot. */
async function readUngrouped(
  tx: Transaction,
  context: IntakeContext,
  options: { readonly round: TailRound; readonly stamp: VerdictStamp; readonly beginning: Beginning },
): Promise<Read> {
  const { lease, db } = context;
  const { stamp, round } = options;
  const map = round.map ?? (await readClassMap(tx, db.schema));
  const { limitMs = ROUND_TRANSACTION.statementTimeoutMs } = context;
  const logs = await readLogs(tx, lease, { beginning: options.beginning, limitMs });
  const cursor = await readCursor(tx, lease, REGISTRIES_ROUND);
  const state = stateSchema.safeParse(cursor.metadata);
  const byVersions = state.success ? (state.data.by_versions ?? 0) : 0;
  // Versions of another server or timeline prove nothing.
  const goesByVersions = state.success && byVersions < MOST_BY_VERSIONS && round.rebased === null;
  const { differences, sources, versions } = await readDifferences(
    tx,
    map,
    goesByVersions ? state.data.versions : {},
  );
  const after = state.success && state.data.snapshot !== null ? BigInt(state.data.snapshot) : null;
  const drifted = await tx.one(readDrifted, { after, scopes: [SCOPES.scan] });
  const before = await readIntakeRules(tx, stamp.at, map);
  const { rules, changes: decided } = await changesOfInputs(tx, { ...stamp, rules: before });
  const all = { ...stamp, rules };
  const changes: Change[] = [...(await changesOfLogs(tx, map, logs)), ...decided];
  let own = logs.reduce((sum, reading) => sum + reading.own, 0);
  const membersDiffer = differences.some((each) => each.watched.source.startsWith(MEMBER));
  if (differences.length > 0) {
    if (state.success) {
      const found = await changesOfRegistries(tx, differences, rules);
      own += found.own;
      // Members were added or removed: members without a birth have rows that must be updated.
      if (rules.withheld === undefined && membersDiffer) {
        await materializeUnborn(tx, { ...all, cause: 'intake' });
        await reconcileObjectRows(tx, { ...all, cause: 'intake' });
      }
      const moved = differences.some((each) => each.watched.reshapes) ? await reshapeGroups(tx, all) : [];
      changes.push(...found.changes);
      if (moved.length > 0)
        changes.push({
          source: 'governance_object_ownership',
          action: 'moved',
          table: 'governance_object_ownership',
          ref: 'moved',
          facts: [],
          marked: moved,
        });
    } else await beginFromNow(tx, all);
  }
  if (state.success)
    changes.push(
      ...drifted.keys.map((inventoryKey) => ({
        source: 'evolution_snapshots',
        action: 'drifted',
        table: 'evolution_snapshots',
        ref: inventoryKey,
        facts: [{ inventoryKey }],
      })),
    );
  const snapshot = drifted.last_id ?? after;
  const keyless = round.keyless ?? 0n;
  if ((state.success ? (state.data.keyless ?? '0') : '0') !== String(keyless)) {
    const { at, rulesetVersion: ruleset } = stamp;
    const run = { runId: context.runId, at, ruleset, activeRuleset: ruleset };
    await announceFindings(tx, await syncKeylessFinding(tx, run), run);
  }
  const run = { at: stamp.at };
  const terms = state.success ? await announceOwners(tx, differences, state.data.terms, run) : undefined;
  await advance(tx, lease, REGISTRIES_ROUND, {
    eventsSeen: state.success ? differences.length : 0,
    metadata: {
      snapshot: snapshot === null ? null : String(snapshot),
      sources,
      versions,
      by_versions: goesByVersions ? byVersions + 1 : 0,
      keyless: String(keyless),
      ...(terms === undefined ? {} : { terms }),
    },
    summary: { differences: differences.length, began: !state.success },
  });
  return {
    changes,
    decidedInput: decided.map((each) => each.collection),
    lines: logs.reduce((sum, reading) => sum + reading.lines.length, 0),
    registryRows: state.success ? differences.length : 0,
    own,
    rebased: logs.flatMap(({ log, lost }) => (lost === null ? [] : [`${log.source}: ${lost}`])),
    deferred: membersDiffer && rules.withheld !== undefined,
    more: logs.some((reading) => reading.more),
  };
}

const NOTHING_READ: Read = {
  changes: [],
  decidedInput: [],
  lines: 0,
  registryRows: 0,
  own: 0,
  rebased: [],
  deferred: false,
  more: false,
};

/** Raises and resolves input findings only for collections that this round changed. */
async function syncObjectInputs(
  tx: Transaction,
  { runId, db }: IntakeContext,
  round: TailRound,
  options: {
    readonly rulesetVersion: string;
    readonly decided: readonly string[];
    readonly reviewed: boolean;
  },
): Promise<void> {
  const { at } = round;
  const quiet = round.added + round.updated === 0 && !round.recomputed && !options.reviewed;
  const touched = quiet && options.decided.length === 0 ? [] : await readTouchedInput(tx, at);
  const collections = [...new Set([...touched, ...options.decided])];
  if (collections.length === 0) return;
  const map = round.map ?? (await readClassMap(tx, db.schema));
  const { rulesetVersion: ruleset } = options;
  const run = { runId, at, ruleset, activeRuleset: ruleset };
  await announceFindings(tx, await syncInputFindings(tx, run, { map, collections }), run);
}

/** Stores what is left of the review, unless more is left of an earlier one. */
async function keepReview(tx: Transaction, lease: Lease, before: Review, left: Review): Promise<void> {
  if (left === before) return;
  if (before === 'none' && (await readReview(tx, lease)) !== 'none') return;
  await noteReview(tx, lease, left);
}

async function takeIn(
  tx: Transaction,
  context: IntakeContext,
  kind: IntakeRound['kind'],
  size: RoundSize,
): Promise<IntakeRound> {
  const { lease, db, runId } = context;
  const basis = await readEvaluationBasis(tx);
  if (basis === undefined) throw intakeErrors.intake_not_ready('no backfill has been completed');
  const wide = kind === 'wide';
  // Must precede the tail round: the logs begin at the tail's old horizon.
  const beginning = wide ? await readBeginning(tx, lease) : undefined;
  const options = { schema: db.schema };
  const { noticeDeletions = true, limitMs } = context;
  const limit = limitMs === undefined ? {} : { limitMs };
  const round = wide
    ? await wideRound(tx, lease, { ...options, ...limit, noticeDeletions })
    : await nearRound(tx, lease, { ...options, limits: { backlogRows: size.rows } });
  const stamp = { ...basis, runId, at: round.at };
  const retryTarget = { lease, round: kind };
  const review = wide && !round.more ? await readReview(tx, lease) : 'none';
  const births = await followBirths(tx, retryTarget, round, stamp, review);
  const ungrouped =
    beginning === undefined || round.more
      ? NOTHING_READ
      : await readUngrouped(tx, context, { round, stamp, beginning });
  const left = ungrouped.deferred && births.review === 'none' ? 'deferred' : births.review;
  await keepReview(tx, lease, review, left);
  const changes = [...births.changes, ...ungrouped.changes];
  const applied = await applyOrSetAside(tx, retryTarget, changes, { at: round.at });
  const { rulesetVersion } = basis;
  const reviewed = review !== 'none' && births.review === 'none';
  await syncObjectInputs(tx, context, round, {
    rulesetVersion,
    decided: ungrouped.decidedInput,
    reviewed,
  });
  const counts = {
    births: round.added + round.updated,
    lines: ungrouped.lines,
    registry_rows: ungrouped.registryRows,
    dirtied: applied.dirtied,
  };
  const { at, maxId } = round;
  if (wide && !round.more) await oversee(tx, context, { at, rulesetVersion, counts, maxId });
  const more = round.more || ungrouped.more;
  if (wide && !more) {
    const { worker, source, fence } = lease;
    await tx.one(noteWatched, { worker, source, fence });
  }
  return {
    kind,
    births: round.added + round.updated,
    lines: ungrouped.lines,
    registryRows: ungrouped.registryRows,
    own: births.own + ungrouped.own,
    tombstones: births.tombstones,
    setAside: births.setAside + applied.setAside,
    applied,
    rebased: [...(round.rebased === null ? [] : [`birth_registry: ${round.rebased}`]), ...ungrouped.rebased],
    more,
    maxId: round.maxId,
    at: round.at,
  };
}

const INTAKE_STAGE: StageContract = {
  name: 'intake',
  takes: 'the lease of the intake, and near or wide',
  returns: 'what the round saw, marked and announced',
  writes: 'what tail, candidate and marks write; signals',
  promises: 'a killed round rolls back completely; each change marks exactly the groups it affects',
};

/** Runs one atomic round. Retries a near round that times out with fewer births. */
export const intakeRound = defineStage(
  INTAKE_STAGE,
  async (context: IntakeContext, kind: IntakeRound['kind']): Promise<IntakeRound> => {
    const size = sizeFor(context.lease);
    const { limitMs: statementTimeoutMs = ROUND_TRANSACTION.statementTimeoutMs } = context;
    const how = { ...ROUND_TRANSACTION, statementTimeoutMs };
    for (;;) {
      const started = performance.now();
      try {
        const round = await context.lease.work(how, (tx) => takeIn(tx, context, kind, size));
        if (kind === 'near') size.after({ births: round.births, elapsedMs: performance.now() - started });
        return round;
      } catch (error) {
        if (kind !== 'near' || !size.canHalve(error)) throw error;
      }
    }
  },
  ({ kind, births, applied }) => ({ kind, births, dirtied: applied.dirtied }),
);
