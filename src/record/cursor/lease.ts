// Owns the lease: the right to work on one source, by the server's clock, until it is released or expires.
// INVARIANT: the fence, checked at the end of every work transaction, protects the data; time only decides
// which process may try. A renewal never changes a cursor.
import { createHash, randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import {
  type Database,
  fillParts,
  quoteIdentifier,
  type Transaction,
  type TransactionOptions,
} from '../../db/index.js';
import { hasCode } from '../../kernel/index.js';
import { cursorErrors } from './errors.js';
import { readLeaseRow, releaseLease, renewLease } from './lease.sql.js';
import { openWork } from './pause.js';
import { endFormerHolders, takeOver } from './takeover.js';

/**
 * How long a lease is valid without a renewal, and how long a takeover waits for a lock. A lease is renewed
 * after a third of its validity.
 */
export const LEASE_TTL_MS = 30_000;
const TAKEOVER_LOCK_TIMEOUT_MS = 2_000;
/** A process that has made no progress for this long no longer renews, so that another one takes over. */
const STALLED_MS = 60_000;

export interface Round {
  readonly round: string;
  /** The type by which the ids of the source compare. */
  readonly idType: 'integer' | 'uuid';
}

export interface LeaseRequest {
  readonly worker: string;
  readonly source: string;
  /** A unique name per process and attempt; `holderName()` creates one. */
  readonly holder: string;
  /** The cursors under this lease; default one, `main`, with integer ids. */
  readonly rounds?: readonly Round[];
  readonly ttlMs?: number;
  readonly lockTimeoutMs?: number;
}

/** A unique name for this process. */
export function holderName(): string {
  return `${hostname()}:${process.pid}:${randomBytes(4).toString('hex')}`;
}

const WORKER = /^[a-z][a-z0-9_]{0,30}$/;
const SOURCE = /^[a-z0-9_.]{1,63}$/;
const LOCK_LIMITS = {
  isolation: 'read committed',
  lockTimeoutMs: 2_000,
  idleTimeoutMs: 5_000,
  isBackground: true,
} as const;

/**
 * The start of the application_name that marks a worker's transactions in pg_stat_activity; the same for one
 * (worker, source). The whole name has at most 63 bytes.
 */
function tagPrefix(worker: string, source: string): string {
  const digest = createHash('sha256').update(`${worker}\0${source}`).digest('hex').slice(0, 10);
  return `gcos:${worker.slice(0, 20)}:${digest}:`;
}

export interface RenewalOptions {
  readonly everyMs?: number;
  /** After this long without progress nothing is renewed. */
  readonly stalledMs?: number;
  /** Called after each renewal; its errors are reported like a failed renewal. */
  readonly onRenewed?: () => Promise<void>;
  /** Called if a renewal fails for another reason than a lost lease; the next interval tries again. */
  readonly onTrouble?: (error: unknown) => void;
}

export class Lease {
  readonly worker: string;
  readonly source: string;
  readonly holder: string;
  readonly fence: bigint;
  readonly ttlMs: number;
  readonly #db: Database;
  readonly #loss = new AbortController();
  #stopRenewing: (() => Promise<void>) | undefined;
  #released = false;
  #progressAt = performance.now();

  constructor(db: Database, request: LeaseRequest, fence: bigint) {
    this.#db = db;
    this.worker = request.worker;
    this.source = request.source;
    this.holder = request.holder;
    this.ttlMs = request.ttlMs ?? LEASE_TTL_MS;
    this.fence = fence;
  }

  /** Aborted as soon as this process learns that it has lost the lease. */
  get lost(): AbortSignal {
    return this.#loss.signal;
  }

  /** Whether the lease is neither released nor, as far as this process knows, lost. */
  get held(): boolean {
    return !this.#released && !this.lost.aborted;
  }

  /** Marks a transaction as this worker's, so that a takeover can end it. */
  get tag(): string {
    return `${tagPrefix(this.worker, this.source)}${this.fence}`;
  }

  /**
   * Runs one work transaction that starts at the server's time `at`. It is refused while workers are paused,
   * is tagged as this worker's transaction, and must end with `advance`.
   */
  async work<T>(options: TransactionOptions, work: (tx: Transaction, at: string) => Promise<T>): Promise<T> {
    try {
      return await this.#db.transaction(options, async (tx) => work(tx, await openWork(tx, this.tag)));
    } catch (error) {
      if (hasCode(error, 'lease_lost')) this.#loss.abort(error);
      throw error;
    }
  }

  /** For work that asks the server nothing through this database for a while: it goes on. */
  noteProgress(): void {
    this.#progressAt = performance.now();
  }

  #stalledFor(): number {
    return performance.now() - Math.max(this.#progressAt, this.#db.answeredAt);
  }

  /** Extends the lease; throws `lease_lost` if another process took it over. */
  async renew(): Promise<void> {
    const { worker, source, fence, tag } = this;
    const statement = fillParts(renewLease, { trust: quoteIdentifier(this.#db.trustSchema) });
    const values = { worker, source, fence, tag, ttlSeconds: this.ttlMs / 1_000 };
    // One statement instead of four, and a process that freezes holds no lock. A server whose sessions begin
    // read-only or serializable needs a transaction that says otherwise.
    const renewed = await this.#db.call(statement, values, LOCK_LIMITS).catch((error: unknown) => {
      if (!hasCode(error, 'database_read_only') && !hasCode(error, 'serialization_failure')) throw error;
      return this.#db.transaction(LOCK_LIMITS, (tx) => tx.one(statement, values));
    });
    if (renewed.expires_at !== null) return;
    const error = cursorErrors.lease_lost(`the lease of ${worker}/${source} with fence ${fence} is lost`);
    this.#loss.abort(error);
    throw error;
  }

  /** Renews in the background until `stopRenewing`, release or loss. */
  startRenewing(options: RenewalOptions = {}): void {
    if (this.#stopRenewing !== undefined) return;
    const everyMs = options.everyMs ?? this.ttlMs / 3;
    let timer: NodeJS.Timeout | undefined;
    let running: Promise<void> = Promise.resolve();
    let stopped = false;
    const next = () => {
      timer = setTimeout(() => {
        running = once();
      }, everyMs);
    };
    const once = async () => {
      try {
        const stalledMs = this.#stalledFor();
        if (stalledMs > (options.stalledMs ?? STALLED_MS))
          throw cursorErrors.lease_stalled(
            `${this.worker}/${this.source}: no statement was answered for ${Math.round(stalledMs / 1_000)} seconds`,
          );
        await this.renew();
        await options.onRenewed?.();
      } catch (error) {
        if (!hasCode(error, 'lease_lost')) options.onTrouble?.(error);
      }
      if (!stopped && !this.lost.aborted) next();
    };
    this.#stopRenewing = async () => {
      stopped = true;
      clearTimeout(timer);
      await running;
    };
    next();
  }

  async stopRenewing(): Promise<void> {
    await this.#stopRenewing?.();
    this.#stopRenewing = undefined;
  }

  /**
   * Releases the lease, so that the next holder need not wait for its expiry. False if it was already lost.
   */
  async release(): Promise<boolean> {
    this.#released = true;
    await this.stopRenewing();
    const { worker, source, fence } = this;
    const { released } = await this.#db.transaction(LOCK_LIMITS, (tx) =>
      tx.one(releaseLease, { worker, source, fence }),
    );
    return released;
  }

  /**
   * The other process that holds the lease, if any. A reset of the cursor also invalidates the fence, but no
   * process takes the lease over.
   */
  async takenByAnother(tx: Transaction): Promise<string | undefined> {
    const [row] = await tx.run(readLeaseRow, { worker: this.worker, source: this.source });
    return row === undefined || row.holder === this.holder ? undefined : row.holder;
  }
}

/** The current holder of a lease; null if it is free. */
export async function readHolder(
  tx: Transaction,
  name: { readonly worker: string; readonly source: string },
): Promise<string | null> {
  const [row] = await tx.run(readLeaseRow, name);
  return row === undefined || row.released || row.expired ? null : row.holder;
}

/** Takes the lease if it is free or expired; undefined while another process holds it. */
export async function acquireLease(db: Database, request: LeaseRequest): Promise<Lease | undefined> {
  const { worker, source, holder } = request;
  if (!WORKER.test(worker)) throw cursorErrors.worker_invalid(`\`${worker}\` is not the name of a worker`);
  if (!SOURCE.test(source)) throw cursorErrors.worker_invalid(`\`${source}\` is not the name of a source`);
  const rounds = request.rounds ?? [{ round: 'main', idType: 'integer' }];
  const taken = await takeOver(
    db,
    {
      worker,
      source,
      holder,
      ttlSeconds: (request.ttlMs ?? LEASE_TTL_MS) / 1_000,
      rounds: rounds.map((each) => each.round),
      idTypes: rounds.map((each) => each.idType),
    },
    request.lockTimeoutMs ?? TAKEOVER_LOCK_TIMEOUT_MS,
  );
  if (taken === undefined) return undefined;
  const lease = new Lease(db, request, taken.fence);
  if (taken.takenFrom === null) return lease;
  try {
    await endFormerHolders(db, tagPrefix(worker, source), lease.fence);
    return lease;
  } catch (error) {
    // The caller gets an error, so it must not keep the lease. If the release fails too, the lease expires.
    await lease.release().catch(() => undefined);
    throw error;
  }
}
