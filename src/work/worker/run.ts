// Owns running duties in parallel in one process until it is stopped. On stop every round ends or is rolled
// back, and every lease is released. A failing duty does not affect the others.
import { setTimeout as timer } from 'node:timers/promises';
import type { Database } from '../../db/index.js';
import { GcosError, hasCode } from '../../kernel/index.js';
import {
  acquireLease,
  didAnything,
  type FaultContext,
  holderName,
  type Lease,
  runUnderLease,
  tick,
} from '../../record/cursor/index.js';
import { leaseName, type Pulse, Pulses } from '../pulse.js';
import type { Duty, DutyName } from './duty.js';
import { errorFields, type Log, type LogLevel } from './log.js';
import { didSentence, failedSentence, inSeconds, recoveredSentence } from './sentence.js';

export interface DutyState {
  readonly duty: DutyName;
  /** Waiting: the duty is not ready yet, or another process holds the lease. */
  readonly state: 'waiting' | 'working' | 'stopped';
  /** Why the duty cannot start yet. */
  readonly reason: string | null;
  readonly rounds: number;
  readonly errors: number;
  /** Failed rounds since the last successful one. */
  readonly failing: number;
  /** The elapsed time of the current round. */
  readonly roundMs: number | null;
  readonly lastRoundMs: number | null;
}

const isAbort = (error: unknown): boolean =>
  hasCode(error, 'operation_cancelled') || (error instanceof Error && error.name === 'AbortError');

/** The state of one duty in this process. */
class Watched {
  readonly duty: Duty;
  state: DutyState['state'] = 'waiting';
  reason: string | null = null;
  rounds = 0;
  errors = 0;
  failing = 0;
  /** When the first error since the last success came, and the code of the last one. */
  failingAt = 0;
  lastCode = '';
  lastRoundMs: number | null = null;
  /** Called when a round succeeds again, before the errors are forgotten. */
  onRecovered: (() => void) | undefined;
  /** Called with a lease that was taken, and when it was lost to another process. */
  onWorking: (() => void) | undefined;
  onLost: (() => void) | undefined;
  /** Called with what a round did, unless it did nothing. */
  onDone: ((did: Readonly<Record<string, number>>) => void) | undefined;
  #started: number | undefined;
  #lease: Lease | undefined;

  constructor(duty: Duty) {
    this.duty = duty;
  }

  /** One round of the duty, counted and timed. */
  readonly work: Duty['work'] = async (lease, signal) => {
    if (this.#lease !== lease) this.onWorking?.();
    this.#lease = lease;
    this.state = 'working';
    this.#started = performance.now();
    try {
      const result = await this.duty.work(lease, signal);
      this.rounds += 1;
      if (this.failing > 0) this.onRecovered?.();
      if (didAnything(result)) this.onDone?.(result.did ?? {});
      this.failing = 0;
      return result;
    } catch (error) {
      // An abort on request is not a failure: the round is rolled back.
      if (signal.aborted && isAbort(error)) return { more: false };
      if (hasCode(error, 'lease_lost')) this.onLost?.();
      throw error;
    } finally {
      this.lastRoundMs = performance.now() - this.#started;
      this.#started = undefined;
    }
  };

  now(): DutyState {
    // The lease is lost, or was yielded to a lease that takes precedence.
    const state = this.state === 'working' && this.#lease?.held !== true ? 'waiting' : this.state;
    const { reason, rounds, errors, failing, lastRoundMs } = this;
    const roundMs = this.#started === undefined ? null : performance.now() - this.#started;
    return { duty: this.duty.name, state, reason, rounds, errors, failing, roundMs, lastRoundMs };
  }
}

export interface RunOptions {
  readonly db: Database;
  readonly duties: readonly Duty[];
  readonly signal: AbortSignal;
  readonly log: Log;
  readonly announce?: FaultContext['announce'];
  readonly ttlMs?: number;
  readonly renewEveryMs?: number;
}

const NOT_YET_MS = 2_000;
/** Waiting processes check this often, so that a duty with a long restMs is taken over quickly. */
const WAIT_MS = 1_000;
/** A waiting duty tries to take its lease this often, even if the lease seems to be held. */
const MOST_WAIT_MS = 10_000;
const SUMMARY_MS = 60_000;

async function rest(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await timer(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

/** Running duties: `states` returns their state, `done` resolves when all have stopped. */
export class RunningDuties {
  readonly done: Promise<readonly DutyState[]>;
  readonly #options: RunOptions;
  readonly #watched: readonly Watched[];
  readonly #pulses: Pulses;

  constructor(options: RunOptions) {
    this.#options = options;
    this.#pulses = new Pulses(options.db);
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
        log('info', 'summary', {
          message: `${duty} is ${state}: ${rounds} rounds, ${errors} errors since the start`,
          ...{ duty, state, rounds, errors },
        });
    }, SUMMARY_MS);
    try {
      await Promise.all(this.#watched.map((each) => this.#attend(each)));
    } finally {
      clearInterval(summing);
    }
    return this.states();
  }

  async #attend(watched: Watched): Promise<void> {
    const { db, signal, log, announce, ttlMs, renewEveryMs } = this.#options;
    const { name, worker, source, rounds, restMs, giveWayTo = [], idle } = watched.duty;
    const blocks = [watched.duty, ...giveWayTo].map(leaseName);
    const rivals = giveWayTo.map(leaseName);
    const note = (event: string, message: string, level: LogLevel = 'info') =>
      log(level, event, { message, duty: name });
    note('duty_started', `${name} has started`);
    watched.onWorking = () => note('duty_working', `${name} has its lease, and works`);
    watched.onLost = () =>
      note('lease_lost', `${name} lost its lease to another process; its round was rolled back`, 'warn');
    watched.onDone = (did) => log('info', 'round', { message: didSentence(name, did), duty: name, ...did });
    watched.onRecovered = () => this.#recovered(watched);
    await this.#untilReady(watched);
    watched.reason = null;
    if (!signal.aborted) note('duty_ready', `${name} can work, as soon as it has its lease`);
    await runUnderLease({
      ...{ db, worker, source, signal, restMs, waitMs: WAIT_MS },
      ...(rounds === undefined ? {} : { rounds }),
      giveWayTo,
      restOn: async (why, stop) => {
        if (why === 'waiting') {
          const wakes = ({ leases }: Pulse) => !blocks.some((each) => leases.includes(each));
          await this.#pulses.rest({ mostMs: MOST_WAIT_MS, wakes }, stop);
        } else if (idle !== undefined) {
          const wakes = (pulse: Pulse) =>
            idle.wakes(pulse) || rivals.some((each) => pulse.leases.includes(each));
          await this.#pulses.rest({ ...idle, wakes }, stop);
        }
      },
      ...(announce === undefined ? {} : { announce }),
      ...(ttlMs === undefined ? {} : { ttlMs }),
      ...(renewEveryMs === undefined ? {} : { renewEveryMs }),
      work: watched.work,
      onError: (error, retryMs) => this.#failed(watched, error, retryMs),
    });
    watched.state = 'stopped';
    const { rounds: made, errors } = watched;
    log('info', 'duty_stopped', {
      message: `${name} has stopped, after ${made} rounds and ${errors} errors`,
      ...{ duty: name, rounds: made, errors },
    });
  }

  async #untilReady(watched: Watched): Promise<void> {
    const { signal, log } = this.#options;
    const { name, notYet } = watched.duty;
    while (notYet !== undefined && !signal.aborted) {
      try {
        const reason = await notYet();
        if (reason === undefined) return;
        if (reason !== watched.reason)
          log('info', 'duty_waits', { message: `${name} waits: ${reason}`, duty: name, reason });
        watched.reason = reason;
        watched.failing = 0;
      } catch (error) {
        this.#failed(watched, error, NOT_YET_MS);
      }
      await rest(NOT_YET_MS, signal);
    }
  }

  #failed(watched: Watched, error: unknown, retryMs?: number): void {
    if (watched.failing === 0) watched.failingAt = performance.now();
    watched.errors += 1;
    watched.failing += 1;
    const { code, error: text } = errorFields(error);
    watched.lastCode = String(code);
    const failure = { ...failureOf(watched), error: String(text), retryMs };
    this.#options.log('error', 'duty_failed', {
      message: failedSentence(failure),
      ...{ duty: failure.duty, code: failure.code, error: failure.error },
      help: error instanceof GcosError ? error.help : null,
      failures: failure.failures,
      failing_s: inSeconds(failure.failingMs),
      retry_s: retryMs === undefined ? null : inSeconds(retryMs),
    });
  }

  #recovered(watched: Watched): void {
    const { duty, code, failures, failingMs } = failureOf(watched);
    this.#options.log('info', 'duty_recovered', {
      message: recoveredSentence({ duty, code, failures, failingMs }),
      ...{ duty, code, failures, failing_s: inSeconds(failingMs) },
    });
  }
}

const failureOf = ({ duty, lastCode, failing, failingAt }: Watched) => ({
  ...{ duty: duty.name, code: lastCode, failures: failing },
  failingMs: performance.now() - failingAt,
});

export type OnceOutcome = 'done' | 'not_ready' | 'held_by_another';

/** Runs every duty, one after the other, until it has no work left. Throws on the first error. */
export async function runOnce(
  options: Pick<RunOptions, 'db' | 'duties' | 'signal' | 'log'>,
): Promise<readonly { readonly duty: DutyName; readonly outcome: OnceOutcome; readonly rounds: number }[]> {
  const { db, signal, log } = options;
  const outcomes: { duty: DutyName; outcome: OnceOutcome; rounds: number }[] = [];
  for (const duty of options.duties) {
    const { name, worker, source, rounds } = duty;
    const end = (outcome: OnceOutcome, made: number) => {
      outcomes.push({ duty: name, outcome, rounds: made });
      log('info', 'duty_once', {
        message: `${name}: ${outcome.replaceAll('_', ' ')}, ${made} rounds`,
        ...{ duty: name, outcome, rounds: made },
      });
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
          ...{ worker, source, status: 'ok', state: 'stopped', succeeded: true, leaseOwner: lease.holder },
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
