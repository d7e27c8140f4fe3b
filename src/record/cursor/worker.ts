// Owns the life of a worker: take the lease, renew it in the background, work round by round, tick, back off
// on errors, release on the way out. States: waiting (somebody else has the lease) → working ⇄ paused →
// stopped; losing the lease, or giving way to somebody, leads back to waiting.
import { setTimeout as timer } from 'node:timers/promises';
import type { Database } from '../../db/index.js';
import type { HostMapping } from '../../host/index.js';
import { GcosError, hasCode } from '../../kernel/index.js';
import { type FaultContext, reportFault } from './fault.js';
import { type Tick, tick } from './heartbeat.js';
import {
  acquireLease,
  holderName,
  LEASE_RENEWAL_MS,
  LEASE_TTL_MS,
  type Lease,
  type Round,
  readHolder,
} from './lease.js';

/** What one round did. */
export interface RoundResult {
  /** There is more to do at once; otherwise the worker rests. */
  readonly more: boolean;
  readonly progress?: { readonly at?: string; readonly value: string };
  /** How far it is still behind; 0: it has caught up. */
  readonly lagSeconds?: number;
}

export interface WorkerOptions {
  readonly db: Database;
  readonly worker: string;
  readonly source: string;
  readonly holder?: string;
  readonly rounds?: readonly Round[];
  /**
   * While somebody holds one of these leases, this one is left to them: given up between two rounds, and not
   * taken.
   */
  readonly giveWayTo?: readonly { readonly worker: string; readonly source: string }[];
  readonly hostVocabulary: () => Promise<HostMapping>;
  /** Aborting it lets the current round finish, then releases the lease. */
  readonly signal: AbortSignal;
  /** One round; its transactions go through `lease.work` and end with `advance`. */
  readonly work: (lease: Lease, signal: AbortSignal) => Promise<RoundResult>;
  /** What went wrong; the worker goes on by itself, so this is the only place where it is told. */
  readonly onError: (error: unknown) => void;
  /** Tells others of findings about the worker itself, in the transaction that raises them. */
  readonly announce?: FaultContext['announce'];
  readonly ttlMs?: number;
  readonly renewEveryMs?: number;
  /** How long to rest when there is nothing to do, or somebody else has the lease. */
  readonly restMs?: number;
  /** How long to rest while somebody else has the lease, where that is another time. */
  readonly waitMs?: number;
  /** The pause after an error doubles from here up to `backoffCapMs`. */
  readonly backoffMs?: number;
  readonly backoffCapMs?: number;
}

const REST_MS = 1_000;
const BACKOFF_MS = 500;
const BACKOFF_CAP_MS = 30_000;
/** How often it is looked whether somebody else should have the lease. */
const GIVE_WAY_EVERY_MS = 500;

/** Waits, or returns at once when `signal` is aborted. */
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
        if (lease === undefined) await rest(this.#options.waitMs ?? this.#options.restMs ?? REST_MS, signal);
        else await this.#workUnder(lease);
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
      everyMs: this.#options.renewEveryMs ?? LEASE_RENEWAL_MS,
      onRenewed: () => this.#tick(lease, {}),
      onTrouble: (error) => this.#options.onError(error),
    });
    try {
      await this.#tick(lease, {});
      let wanted = false;
      while (!stop.aborted && !wanted) {
        await this.#round(lease, stop);
        await this.#telling(async () => {
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

  /** Whether somebody is at work, or waits, who comes first. */
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
      await this.#tick(lease, result);
      if (!result.more) await rest(this.#options.restMs ?? REST_MS, stop);
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

  /** A finding or a tick that cannot be written must not cost the lease: it is told like any other error. */
  async #telling(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#options.onError(error);
    }
  }

  #fault(lease: Lease, error: unknown): Promise<void> {
    const { db, hostVocabulary, announce } = this.#options;
    return this.#telling(() =>
      reportFault({ db, hostVocabulary, ...(announce ? { announce } : {}) }, lease, error),
    );
  }

  async #backOff(error: unknown, signal: AbortSignal): Promise<void> {
    const { onError, backoffMs = BACKOFF_MS, backoffCapMs = BACKOFF_CAP_MS } = this.#options;
    onError(error);
    this.#failures += 1;
    await rest(Math.min(backoffCapMs, backoffMs * 2 ** Math.min(this.#failures - 1, 20)), signal);
  }

  #tick(lease: Lease, { progress, lagSeconds }: Partial<RoundResult>): Promise<void> {
    const { db, worker, source } = this.#options;
    const beat = {
      worker,
      source,
      leaseOwner: lease.holder,
      ...this.#last,
      ...(progress ? { progress } : {}),
      ...(lagSeconds === undefined ? {} : { lagSeconds }),
    };
    return this.#telling(() =>
      db.transaction({ isolation: 'read committed', retries: 3 }, async (tx) => {
        await lease.mark(tx);
        await tick(tx, beat);
      }),
    );
  }
}

/** Works until `signal` is aborted; then the current round ends, the lease is released, and it returns. */
export function runUnderLease(options: WorkerOptions): Promise<void> {
  return new Worker(options).run();
}
