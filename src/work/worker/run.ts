// Owns running duties side by side in one process until it is told to stop: then every round ends or is rolled back, every lease
// is released, and what each duty did is said. A duty that fails never takes the others down.
import { setTimeout as timer } from 'node:timers/promises';
import type { Database } from '../../db/index.js';
import type { HostMapping } from '../../host/index.js';
import {
  acquireLease,
  type FaultContext,
  holderName,
  type Lease,
  runUnderLease,
  tick,
} from '../../record/cursor/index.js';
import type { Duty, DutyName } from './duty.js';
import { errorFields, type Log } from './log.js';

export interface DutyState {
  readonly duty: DutyName;
  /** Waiting: not ready yet, or somebody else has the lease. */
  readonly state: 'waiting' | 'working' | 'stopped';
  /** Why it cannot begin yet. */
  readonly reason: string | null;
  readonly rounds: number;
  readonly errors: number;
  /** Rounds that failed since the last that did not. */
  readonly failing: number;
  /** How long the round that is under way has taken so far. */
  readonly roundMs: number | null;
  readonly lastRoundMs: number | null;
}

/** What one process knows of one of its duties. */
class Watched {
  readonly duty: Duty;
  state: DutyState['state'] = 'waiting';
  reason: string | null = null;
  rounds = 0;
  errors = 0;
  failing = 0;
  lastRoundMs: number | null = null;
  #started: number | undefined;
  #lease: Lease | undefined;

  constructor(duty: Duty) {
    this.duty = duty;
  }

  /** One round of the duty, counted and timed. */
  readonly work: Duty['work'] = async (lease, signal) => {
    this.#lease = lease;
    this.state = 'working';
    this.#started = performance.now();
    try {
      const result = await this.duty.work(lease, signal);
      this.rounds += 1;
      this.failing = 0;
      return result;
    } catch (error) {
      // Told to stop, it stopped: what it had begun is rolled back, and that is no failure.
      if (signal.aborted && error instanceof Error && error.name === 'AbortError') return { more: false };
      throw error;
    } finally {
      this.lastRoundMs = performance.now() - this.#started;
      this.#started = undefined;
    }
  };

  now(): DutyState {
    // Lost, or given up to somebody who comes first.
    const state = this.state === 'working' && this.#lease?.held !== true ? 'waiting' : this.state;
    const { reason, rounds, errors, failing, lastRoundMs } = this;
    const roundMs = this.#started === undefined ? null : performance.now() - this.#started;
    return { duty: this.duty.name, state, reason, rounds, errors, failing, roundMs, lastRoundMs };
  }
}

export interface RunOptions {
  readonly db: Database;
  readonly hostVocabulary: () => Promise<HostMapping>;
  readonly duties: readonly Duty[];
  readonly signal: AbortSignal;
  readonly log: Log;
  readonly announce?: FaultContext['announce'];
  readonly ttlMs?: number;
  readonly renewEveryMs?: number;
}

const NOT_YET_MS = 2_000;
/** A duty that rests long must not be without a worker for as long. */
const WAIT_MS = 1_000;
const SUMMARY_MS = 60_000;

async function rest(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await timer(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

/** Duties under way: `states` says how they are, `done` ends when all have stopped. */
export class RunningDuties {
  readonly done: Promise<readonly DutyState[]>;
  readonly #options: RunOptions;
  readonly #watched: readonly Watched[];

  constructor(options: RunOptions) {
    this.#options = options;
    this.#watched = options.duties.map((duty) => new Watched(duty));
    this.done = this.#run();
  }

  states(): readonly DutyState[] {
    return this.#watched.map((each) => each.now());
  }

  async #run(): Promise<readonly DutyState[]> {
    const { log } = this.#options;
    const summing = setInterval(() => {
      for (const { duty, rounds, errors, state } of this.states())
        log('info', 'summary', { duty, state, rounds, errors });
    }, SUMMARY_MS);
    try {
      await Promise.all(this.#watched.map((each) => this.#attend(each)));
    } finally {
      clearInterval(summing);
    }
    return this.states();
  }

  async #attend(watched: Watched): Promise<void> {
    const { db, hostVocabulary, signal, log, announce, ttlMs, renewEveryMs } = this.#options;
    const { name, worker, source, rounds, restMs, giveWayTo } = watched.duty;
    log('info', 'duty_started', { duty: name });
    await this.#untilReady(watched);
    watched.reason = null;
    if (!signal.aborted) log('info', 'duty_ready', { duty: name });
    await runUnderLease({
      ...{ db, hostVocabulary, worker, source, signal, restMs, waitMs: WAIT_MS },
      ...(rounds === undefined ? {} : { rounds }),
      ...(giveWayTo === undefined ? {} : { giveWayTo }),
      ...(announce === undefined ? {} : { announce }),
      ...(ttlMs === undefined ? {} : { ttlMs }),
      ...(renewEveryMs === undefined ? {} : { renewEveryMs }),
      work: watched.work,
      onError: (error) => this.#failed(watched, error),
    });
    watched.state = 'stopped';
    log('info', 'duty_stopped', { duty: name, rounds: watched.rounds, errors: watched.errors });
  }

  async #untilReady(watched: Watched): Promise<void> {
    const { signal, log } = this.#options;
    const { name, notYet } = watched.duty;
    while (notYet !== undefined && !signal.aborted) {
      try {
        const reason = await notYet();
        if (reason === undefined) return;
        if (reason !== watched.reason) log('info', 'duty_waits', { duty: name, reason });
        watched.reason = reason;
        watched.failing = 0;
      } catch (error) {
        this.#failed(watched, error);
      }
      await rest(NOT_YET_MS, signal);
    }
  }

  #failed(watched: Watched, error: unknown): void {
    watched.errors += 1;
    watched.failing += 1;
    this.#options.log('error', 'duty_failed', { duty: watched.duty.name, ...errorFields(error) });
  }
}

export type OnceOutcome = 'done' | 'not_ready' | 'held_by_another';

/** Every duty until it has nothing left to do, one after the other. What goes wrong is thrown. */
export async function runOnce(
  options: Pick<RunOptions, 'db' | 'duties' | 'signal' | 'log'>,
): Promise<readonly { readonly duty: DutyName; readonly outcome: OnceOutcome; readonly rounds: number }[]> {
  const { db, signal, log } = options;
  const outcomes: { duty: DutyName; outcome: OnceOutcome; rounds: number }[] = [];
  for (const duty of options.duties) {
    const { name, worker, source, rounds } = duty;
    const end = (outcome: OnceOutcome, made: number) => {
      outcomes.push({ duty: name, outcome, rounds: made });
      log('info', 'duty_once', { duty: name, outcome, rounds: made });
    };
    if ((await duty.notYet?.()) !== undefined) {
      end('not_ready', 0);
      continue;
    }
    const request = { worker, source, holder: holderName(), ...(rounds === undefined ? {} : { rounds }) };
    const lease = await acquireLease(db, request);
    if (lease === undefined) {
      end('held_by_another', 0);
      continue;
    }
    const watched = new Watched(duty);
    lease.startRenewing();
    try {
      const stop = AbortSignal.any([signal, lease.lost]);
      let result = await watched.work(lease, stop);
      while (result.more && !stop.aborted) result = await watched.work(lease, stop);
      const { progress, lagSeconds } = result;
      await db.transaction({ isolation: 'read committed', retries: 3 }, (tx) =>
        tick(tx, {
          ...{ worker, source, status: 'ok', state: 'stopped', leaseOwner: lease.holder },
          ...(progress === undefined ? {} : { progress }),
          ...(lagSeconds === undefined ? {} : { lagSeconds }),
        }),
      );
    } finally {
      await lease.release();
    }
    end('done', watched.rounds);
  }
  return outcomes;
}
