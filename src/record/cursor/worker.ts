// Owns the life cycle of a worker: take the lease, renew it in the background, work round by round, tick,
// back off on errors, and release the lease at the end. States: waiting (another process holds the lease) →
// working ⇄ paused → stopped. A worker that loses the lease, or gives way to another worker, waits again.
import { setTimeout as timer } from 'node:timers/promises';
import type { Database } from '../../db/index.js';
import { GcosError, hasCode } from '../../kernel/index.js';
import { type FaultContext, reportFault } from './fault.js';
import { type Tick, tick } from './heartbeat.js';
import { acquireLease, holderName, LEASE_TTL_MS, type Lease, type Round, readHolder } from './lease.js';

/** The result of one round. */
export interface RoundResult {
  /** True: there is more work now. False: the worker rests. */
  readonly more: boolean;
  readonly progress?: { readonly at?: string; readonly value: string };
  /** How far the worker is behind its source; 0 means that it has caught up. */
  readonly lagSeconds?: number;
  /** What the round did, for the log; a round that did nothing is not logged. */
  readonly did?: Readonly<Record<string, number>>;
}

export interface WorkerOptions {
  readonly db: Database;
  readonly worker: string;
  readonly source: string;
  readonly holder?: string;
  readonly rounds?: readonly Round[];
  /**
   * While another process holds one of these leases, this worker gives its own lease up between two rounds
   * and does not take it.
   */
  readonly giveWayTo?: readonly { readonly worker: string; readonly source: string }[];
  /** After an abort, the worker finishes the current round and releases the lease. */
  readonly signal: AbortSignal;
  /** One round; its transactions go through `lease.work` and end with `advance`. */
  readonly work: (lease: Lease, signal: AbortSignal) => Promise<RoundResult>;
  /**
   * Receives every error. The worker continues after an error, so errors are reported only here. `retryMs`:
   * when it tries again, if the error ended a round.
   */
  readonly onError: (error: unknown, retryMs?: number) => void;
  /** Announces findings about the worker itself, in the transaction that raises them. */
  readonly announce?: FaultContext['announce'];
  readonly ttlMs?: number;
  readonly renewEveryMs?: number;
  /** How long to rest if there is nothing to do, or another process holds the lease. */
  readonly restMs?: number;
  /** How long to rest while another process holds the lease; `restMs` by default. */
  readonly waitMs?: number;
  /**
   * Rests on, after a round that found nothing or while another process holds the lease, until there may be
   * something to do.
   */
  readonly restOn?: (why: 'idle' | 'waiting', signal: AbortSignal) => Promise<void>;
  /** The delay after an error; it doubles with each error up to `backoffCapMs`. */
  readonly backoffMs?: number;
  readonly backoffCapMs?: number;
}

/** Whether the round did something. */
export const didAnything = ({ did = {} }: Pick<RoundResult, 'did'>): boolean =>
  Object.values(did).some((count) => count > 0);

const REST_MS = 1_000;
const BACKOFF_MS = 500;
const BACKOFF_CAP_MS = 30_000;
/** A worker that makes no rounds ticks this often, with the renewal of its lease. */
const TICK_EVERY_MS = 25_000;
/** How often a worker checks whether it must give way. */
const GIVE_WAY_EVERY_MS = 500;

/** Waits; returns early if `signal` is aborted. */
async function rest(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await timer(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

const textOf = (error: unknown): string =>
  error instanceof GcosError ? `${error.code}: ${error.message}` : String(error);

class Worker {
  readonly #options: WorkerOptions;
  #failures = 0;
  #tickedAt = Number.NEGATIVE_INFINITY;
  #checkedForRivalsAt = Number.NEGATIVE_INFINITY;
  #last: Pick<Tick, 'status' | 'state' | 'error'> = { status: 'ok', state: 'running' };

  constructor(options: WorkerOptions) {
    this.#options = options;
  }

  async run(): Promise<void> {
    const { signal } = this.#options;
    while (!signal.aborted) {
      try {
        const lease = (await this.#isWanted()) ? undefined : await this.#acquire();
        if (lease === undefined) {
          await rest(this.#options.waitMs ?? this.#options.restMs ?? REST_MS, signal);
          await this.#options.restOn?.('waiting', signal);
        } else await this.#workUnder(lease);
      } catch (error) {
        await this.#backOff(error, signal);
      }
    }
  }

  #acquire(): Promise<Lease | undefined> {
    const { db, worker, source, rounds, ttlMs } = this.#options;
    const holder = this.#options.holder ?? holderName();
    return acquireLease(db, {
      worker,
      source,
      holder,
      ttlMs: ttlMs ?? LEASE_TTL_MS,
      ...(rounds ? { rounds } : {}),
    });
  }

  async #workUnder(lease: Lease): Promise<void> {
    const { signal } = this.#options;
    const stop = AbortSignal.any([signal, lease.lost]);
    lease.startRenewing({
      ...(this.#options.renewEveryMs === undefined ? {} : { everyMs: this.#options.renewEveryMs }),
      onRenewed: async () => {
        if (performance.now() - this.#tickedAt > TICK_EVERY_MS) await this.#tick(lease, {});
      },
      onTrouble: (error) => this.#options.onError(error),
    });
    try {
      await this.#tick(lease, {});
      let wanted = false;
      while (!stop.aborted && !wanted) {
        await this.#round(lease, stop);
        await this.#reporting(async () => {
          wanted =
            performance.now() - this.#checkedForRivalsAt > GIVE_WAY_EVERY_MS && (await this.#isWanted());
        });
      }
    } finally {
      await lease.stopRenewing();
    }
    if (lease.lost.aborted) {
      await this.#fault(lease, lease.lost.reason);
      return;
    }
    this.#last = { status: 'ok', state: 'stopped' };
    await this.#tick(lease, {});
    this.#last = { status: 'ok', state: 'running' };
    await lease.release();
  }

  /** Whether another process holds a lease of `giveWayTo`. */
  async #isWanted(): Promise<boolean> {
    const { db, giveWayTo = [] } = this.#options;
    if (giveWayTo.length === 0) return false;
    this.#checkedForRivalsAt = performance.now();
    return db.transaction({ isolation: 'read committed', readOnly: true }, async (tx) => {
      for (const each of giveWayTo) if ((await readHolder(tx, each)) !== null) return true;
      return false;
    });
  }

  async #round(lease: Lease, stop: AbortSignal): Promise<void> {
    try {
      const result = await this.#options.work(lease, stop);
      this.#failures = 0;
      this.#last = { status: 'ok', state: 'running' };
      await this.#tick(lease, { ...result, succeeded: true });
      if (result.more) return;
      await rest(this.#options.restMs ?? REST_MS, stop);
      if (!didAnything(result)) await this.#options.restOn?.('idle', stop);
    } catch (error) {
      if (hasCode(error, 'lease_lost')) return;
      if (hasCode(error, 'workers_paused')) {
        this.#last = { status: 'ok', state: 'paused' };
        await this.#tick(lease, {});
        await rest(this.#options.restMs ?? REST_MS, stop);
        return;
      }
      this.#last = { status: 'error', state: 'running', error: textOf(error) };
      await this.#fault(lease, error);
      await this.#backOff(error, stop);
      if (!stop.aborted) await this.#tick(lease, {});
    }
  }

  /**
   * Reports an error instead of throwing it: a finding or a tick that cannot be written must not cost the
   * lease.
   */
  async #reporting(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#options.onError(error);
    }
  }

  #fault(lease: Lease, error: unknown): Promise<void> {
    const { db, announce } = this.#options;
    return this.#reporting(() => reportFault({ db, ...(announce ? { announce } : {}) }, lease, error));
  }

  async #backOff(error: unknown, signal: AbortSignal): Promise<void> {
    const { onError, backoffMs = BACKOFF_MS, backoffCapMs = BACKOFF_CAP_MS } = this.#options;
    this.#failures += 1;
    const retryMs = Math.min(backoffCapMs, backoffMs * 2 ** Math.min(this.#failures - 1, 20));
    onError(error, retryMs);
    await rest(retryMs, signal);
  }

  async #tick(
    lease: Lease,
    { progress, lagSeconds, succeeded = false }: Partial<RoundResult> & Pick<Tick, 'succeeded'>,
  ): Promise<void> {
    const { db, worker, source } = this.#options;
    const beat = {
      worker,
      source,
      leaseOwner: lease.holder,
      tag: lease.tag,
      ...this.#last,
      succeeded,
      ...(progress ? { progress } : {}),
      ...(lagSeconds === undefined ? {} : { lagSeconds }),
    };
    await this.#reporting(async () => {
      await db.transaction({ isolation: 'read committed', retries: 3, isBackground: true }, (tx) =>
        tick(tx, beat),
      );
      this.#tickedAt = performance.now();
    });
  }
}

/** Works until `signal` is aborted, then finishes the current round, releases the lease and returns. */
export function runUnderLease(options: WorkerOptions): Promise<void> {
  return new Worker(options).run();
}
