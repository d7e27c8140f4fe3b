// Owns the public operations on the intake: run it once or until stopped, report its status, and replay.
import { randomUUID } from 'node:crypto';
import { setTimeout as timer } from 'node:timers/promises';
import { cancelledBy, type Database, readServerTime } from '../../db/index.js';
import type { Installation } from '../../host/index.js';
import type { Announce } from '../../inventory/snapshot/index.js';
import { ROUND_TRANSACTION, type TailWatch, watchTail } from '../../inventory/tail/index.js';
import {
  acquireLease,
  type Cursor,
  holderName,
  LEASE_TTL_MS,
  type Lease,
  readCursors,
  readHolder,
  runUnderLease,
} from '../../record/cursor/index.js';
import { readEvaluationBasis } from '../follow/index.js';
import { Pulses } from '../pulse.js';
import { type Applied, addApplied } from './change.js';
import type { IntakeContext } from './context.js';
import { intakeErrors } from './errors.js';
import { makeIntake, retryIntake } from './intake.js';
import { countWaiting } from './intakes.sql.js';
import { type Replay, type ReplayFrom, replay, requireTakenIn } from './replay.js';
import { INTAKE_LEASE, type IntakeRound, intakeRound } from './round.js';

const READ_ONLY = { isolation: 'repeatable read', readOnly: true } as const;
const POLL_MS = 200;

export interface IntakeRun {
  readonly rounds: number;
  readonly births: number;
  readonly lines: number;
  readonly registryRows: number;
  readonly own: number;
  readonly tombstones: number;
  readonly setAside: number;
  readonly rebased: readonly string[];
  readonly applied: Applied;
  readonly elapsedMs: number;
}

export interface IntakeStatus {
  /** Why it cannot run yet; null: it can. */
  readonly notYet: string | null;
  readonly holder: string | null;
  readonly cursors: readonly Pick<
    Cursor,
    'round' | 'watermark' | 'horizon' | 'eventsSeen' | 'deadLettered' | 'lastRunAt' | 'lastRunSummary'
  >[];
  readonly tail: TailWatch | null;
  readonly retrying: bigint;
  readonly deadLettered: bigint;
  readonly dirtyGroups: bigint;
  readonly dirtyObjects: bigint;
}

export interface IntakeRunOptions {
  readonly signal?: AbortSignal;
  readonly leaseTtlMs?: number;
  readonly onRound?: (round: IntakeRound, elapsedMs: number) => void;
  readonly onError?: (error: unknown) => void;
}

function sumRounds(rounds: readonly IntakeRound[], elapsedMs: number): IntakeRun {
  const sum = (pick: (round: IntakeRound) => number) => rounds.reduce((total, each) => total + pick(each), 0);
  return {
    rounds: rounds.length,
    births: sum((round) => round.births),
    lines: sum((round) => round.lines),
    registryRows: sum((round) => round.registryRows),
    own: sum((round) => round.own),
    tombstones: sum((round) => round.tombstones),
    setAside: sum((round) => round.setAside),
    rebased: rounds.flatMap((round) => round.rebased),
    applied: addApplied(rounds.map((round) => round.applied)),
    elapsedMs: Math.round(elapsedMs),
  };
}

export class Intakes {
  readonly #db: Database;
  readonly #installation: Installation;
  readonly #announce: Announce;

  /** @internal */
  constructor(db: Database, installation: Installation, announce: Announce) {
    this.#db = db;
    this.#installation = installation;
    this.#announce = announce;
  }

  /**
   * Takes in all current changes: near rounds for a backlog, wide rounds until none is left, then the retries
   * that are due.
   */
  async once(options: IntakeRunOptions = {}): Promise<IntakeRun> {
    const signal = options.signal ?? new AbortController().signal;
    const started = performance.now();
    return this.#underLease(options, signal, async (context) => {
      const rounds: IntakeRound[] = [];
      const take = async (kind: IntakeRound['kind']): Promise<boolean> => {
        if (signal.aborted) throw cancelledBy(signal);
        const began = performance.now();
        const round = await intakeRound(context, kind);
        // A near round without births is not counted.
        if (kind === 'near' && round.births === 0) return false;
        options.onRound?.(round, performance.now() - began);
        rounds.push(round);
        return round.more;
      };
      while (await take('near'));
      while (await take('wide'));
      await retryIntake(context, () => {
        if (signal.aborted) throw cancelledBy(signal);
      });
      return sumRounds(rounds, performance.now() - started);
    });
  }

  /** Runs until `signal` is aborted; stops gracefully. */
  async run(options: IntakeRunOptions & { readonly signal: AbortSignal }): Promise<IntakeRun> {
    const started = performance.now();
    let total = sumRounds([], 0);
    const add = (round: IntakeRound) => {
      const one = sumRounds([round], 0);
      const sum = (name: keyof IntakeRun) => Number(total[name]) + Number(one[name]);
      total = {
        rounds: sum('rounds'),
        births: sum('births'),
        lines: sum('lines'),
        registryRows: sum('registryRows'),
        own: sum('own'),
        tombstones: sum('tombstones'),
        setAside: sum('setAside'),
        rebased: [...total.rebased, ...one.rebased].slice(-20),
        applied: addApplied([total.applied, one.applied]),
        elapsedMs: 0,
      };
    };
    const intake = makeIntake({
      db: this.#db,
      onRound: (round, elapsedMs) => {
        add(round);
        options.onRound?.(round, elapsedMs);
      },
    });
    const notYet = await intake.notYet();
    if (notYet !== undefined) throw intakeErrors.intake_not_ready(notYet);
    const { worker, source, rounds, restMs, giveWayTo, idle } = intake;
    const pulses = new Pulses(this.#db);
    await runUnderLease({
      db: this.#db,
      ...{ worker, source, rounds, restMs, giveWayTo },
      restOn: async (why, stop) => {
        if (why === 'idle') await pulses.rest(idle, stop);
      },
      work: (lease, signal) => intake.work(lease, signal),
      signal: options.signal,
      onError: options.onError ?? (() => undefined),
      announce: this.#announce,
      ...(options.leaseTtlMs === undefined
        ? {}
        : { ttlMs: options.leaseTtlMs, renewEveryMs: options.leaseTtlMs / 3 }),
    });
    return { ...total, elapsedMs: Math.round(performance.now() - started) };
  }

  /** Replays what was taken in since `from`. `dryRun`: reports what would be marked, and marks nothing. */
  async replay(
    from: ReplayFrom,
    options: IntakeRunOptions & { readonly dryRun?: boolean } = {},
  ): Promise<Replay> {
    const signal = options.signal ?? new AbortController().signal;
    await this.#installation.requireInstalled();
    await this.#db.transaction(READ_ONLY, async (tx) => {
      const { worker, source } = INTAKE_LEASE;
      await requireTakenIn(tx, { worker, source }, from, await readServerTime(tx));
    });
    return this.#underLease(options, signal, async (context) => {
      const undo = new Error('dry run');
      let done: Replay | undefined;
      try {
        await context.lease.work(ROUND_TRANSACTION, async (tx) => {
          done = await replay(tx, context, from, await readServerTime(tx));
          if (options.dryRun) throw undo;
        });
      } catch (error) {
        if (error !== undo) throw error;
      }
      if (done === undefined) throw new Error('the replay returned no result');
      return done;
    });
  }

  async status(): Promise<IntakeStatus> {
    await this.#installation.requireInstalled();
    return this.#db.transaction(READ_ONLY, async (tx) => {
      const { worker, source } = INTAKE_LEASE;
      const at = await readServerTime(tx);
      const waiting = await tx.one(countWaiting, {});
      const basis = await readEvaluationBasis(tx);
      const cursors = await readCursors(tx, { worker, source });
      return {
        notYet: basis === undefined ? 'no backfill has been completed' : null,
        holder: await readHolder(tx, { worker, source }),
        cursors: cursors.map(
          ({ round, watermark, horizon, eventsSeen, deadLettered, lastRunAt, lastRunSummary }) => ({
            ...{ round, watermark, horizon, eventsSeen, deadLettered, lastRunAt, lastRunSummary },
          }),
        ),
        tail: (await watchTail(tx, at)) ?? null,
        retrying: waiting.retrying,
        deadLettered: waiting.dead_lettered,
        dirtyGroups: waiting.dirty_groups,
        dirtyObjects: waiting.dirty_objects,
      };
    });
  }

  async #underLease<T>(
    options: IntakeRunOptions,
    signal: AbortSignal,
    work: (context: IntakeContext) => Promise<T>,
  ): Promise<T> {
    await this.#installation.requireInstalled();
    if ((await this.#db.transaction(READ_ONLY, readEvaluationBasis)) === undefined)
      throw intakeErrors.intake_not_ready('no backfill has been completed');
    const ttlMs = options.leaseTtlMs ?? LEASE_TTL_MS;
    const lease = await this.#acquire(ttlMs, signal);
    lease.startRenewing();
    try {
      return await work({ db: this.#db, lease, runId: `intake-${randomUUID()}` });
    } finally {
      await lease.release();
    }
  }

  /** Waits for a lease whose holder crashed until it expires; gives up if the holder renews it. */
  async #acquire(ttlMs: number, signal: AbortSignal): Promise<Lease> {
    const deadline = performance.now() + ttlMs + 4 * POLL_MS;
    for (;;) {
      const lease = await acquireLease(this.#db, { ...INTAKE_LEASE, holder: holderName(), ttlMs });
      if (lease !== undefined) return lease;
      if (performance.now() > deadline)
        throw intakeErrors.intake_busy('another process holds the lease of the intake and renews it');
      await timer(POLL_MS, undefined, { signal }).catch((error: unknown) => {
        throw signal.aborted ? cancelledBy(signal) : error;
      });
    }
  }
}
