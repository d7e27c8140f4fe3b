// Owns the connection pool: it recovers from a server restart, and it opens every transaction.
import type pg from 'pg';
import type { ConnectionTarget, TlsSettings } from '../kernel/index.js';
import { cancelRunning } from './cancel.js';
import type { PooledClient } from './connection.js';
import {
  cancelledBy,
  dbErrors,
  isConnectionLoss,
  isPlanLost,
  isSerializationFailure,
  isTransient,
  sqlstateOf,
  whyNotBegun,
} from './errors.js';
import { type Moment, momentText, parseMoment } from './moment.js';
import { atTheMoment, IDLE_MS, importMoment, Keeper, Moments, type MomentsOptions } from './moments.js';
import { openPool } from './pool.js';
import type { Statement } from './statement.js';
import {
  answerDeadline,
  beginning,
  beginText,
  callOnce,
  finishTransaction,
  type Opening,
  streamTransaction,
  Transaction,
  type TransactionDefaults,
  type TransactionOptions,
} from './transaction.js';

export interface DatabaseOptions extends TransactionDefaults {
  readonly target: Exclude<ConnectionTarget, { kind: 'embedded' }>;
  readonly tls?: TlsSettings;
  readonly poolSize: number;
  readonly connectTimeoutMs: number;
  /** Aborting it cancels running statements, rolls back their transactions and refuses further work. */
  readonly signal?: AbortSignal;
}

const RETRY_PAUSE_MS = 100;
/** How long the server may take to act on a cancel request before GCOS closes the connections. */
const CANCEL_GRACE_MS = 3_000;

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Another view of a database, over the same connections. */
interface View {
  readonly of: Database;
  /** The moment that each transaction reads. */
  readonly moment?: Moment;
  /** Runs before `opening`, and sets what BEGIN leaves to it. */
  readonly setting?: Opening;
  readonly opening?: Opening;
}

const AT_A_MOMENT = { isolation: 'repeatable read', readOnly: true } as const;

export class Database {
  readonly #pool: pg.Pool;
  readonly #options: DatabaseOptions;
  readonly #view: View | undefined;
  readonly #moments: Moments;
  readonly #keeping: MomentsOptions;
  readonly #busy: Set<pg.PoolClient>;
  /**
   * Every connection, including those still being established. All are closed if the server does not answer.
   */
  readonly #connections: Set<PooledClient>;
  #hasConnected = false;
  #answeredAt = performance.now();
  readonly #noteAnswer = (): void => {
    this.#answeredAt = performance.now();
  };
  #isAbandoned = false;
  /** What waits for a connection, and how it is given up. */
  readonly #waiting = new Set<() => void>();

  constructor(options: DatabaseOptions, view?: View) {
    this.#options = options;
    this.#view = view;
    if (view !== undefined) {
      const { of } = view;
      this.#pool = of.#pool;
      this.#moments = of.#moments;
      this.#keeping = of.#keeping;
      this.#busy = of.#busy;
      this.#connections = of.#connections;
      this.#hasConnected = of.#hasConnected;
      return;
    }
    this.#busy = new Set();
    this.#connections = new Set();
    const { pool, keeper } = openPool(options, this.#connections);
    this.#pool = pool;
    this.#keeping = {
      connect: keeper,
      begin: beginText({ isolation: 'read committed', readOnly: true, idleTimeoutMs: IDLE_MS }, options),
      facts: this.#facts({}),
    };
    this.#moments = new Moments(this.#keeping);
    options.signal?.addEventListener('abort', () => this.#cancelAll(performance.now()), { once: true });
  }

  get schema(): string {
    return this.#options.schema;
  }

  /** The schema of the tables that carry trust, and of all functions of GCOS. */
  get trustSchema(): string {
    return this.#options.trustSchema;
  }

  /** How long one statement may take, unless its transaction sets another limit: GCOS_STATEMENT_TIMEOUT. */
  get statementTimeoutMs(): number {
    return this.#options.statementTimeoutMs;
  }

  /** When the server last answered a statement of the work, by the clock of `performance.now()`. */
  get answeredAt(): number {
    return this.#answeredAt;
  }

  /** The maximum number of simultaneous connections. */
  get poolSize(): number {
    return this.#options.poolSize;
  }

  /**
   * Runs `work` in one transaction, with at most `options.retries` retries. Driver errors become GCOS errors.
   */
  async transaction<T>(options: TransactionOptions, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#repeat(options, () => this.#once(options, work, 'commit'));
  }

  /**
   * Yields what `work` yields in one read-only transaction. A consumer that stops early, and an error, close
   * the connection, and with it the transaction.
   */
  async *stream<T>(
    options: Omit<TransactionOptions, 'readOnly' | 'retries'>,
    work: (tx: Transaction) => AsyncIterable<T>,
  ): AsyncGenerator<T> {
    const { signal } = this.#options;
    const client = await this.#begin({ ...options, readOnly: true });
    this.#busy.add(client);
    let broken = true;
    try {
      this.#refuseIfAborted();
      yield* streamTransaction(client as unknown as PooledClient, work, this.#facts(options));
      broken = false;
    } catch (error) {
      throw signal?.aborted ? cancelledBy(signal, error) : error;
    } finally {
      this.#busy.delete(client);
      client.release(broken || signal?.aborted);
    }
  }

  /** Runs `work` as `transaction` does, then rolls it back: a preview of the result without its effects. */
  async rehearse<T>(options: TransactionOptions, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#repeat(options, () => this.#once(options, work, 'rollback'));
  }

  /**
   * Runs one statement that returns exactly one row, without a transaction around it: one round trip instead
   * of three. INVARIANT: it only calls a function that sets everything it depends on itself, and that has no
   * effect or one that may happen although the answer is lost.
   */
  async call<P, R>(
    statement: Statement<P, R>,
    params: P,
    options: Pick<TransactionOptions, 'isBackground'> = {},
  ): Promise<R> {
    if (this.#view !== undefined)
      return this.transaction({ isolation: 'repeatable read', readOnly: true }, (tx) =>
        tx.one(statement, params),
      );
    const client = await this.#take({ isBackground: options.isBackground === true });
    this.#busy.add(client);
    let broken = true;
    try {
      this.#refuseIfAborted();
      const row = await callOnce(client as unknown as PooledClient, statement, params);
      broken = false;
      return row;
    } finally {
      this.#busy.delete(client);
      client.release(broken);
    }
  }

  /** A moment that is a second old at most, as an opaque text; younger than the last `renewMoment`. */
  async takeMoment(): Promise<string> {
    this.#refuseIfAborted();
    return momentText(await this.#moments.current());
  }

  /** What was written before this call is part of the next moment that `takeMoment` returns. */
  renewMoment(): void {
    this.#moments.renew();
  }

  /**
   * This database at one moment, over the same connections: each transaction reads that state, and none can
   * write. Their errors are as_of_expired once the moment is over.
   */
  at(text: string): Database {
    return new Database(this.#options, { ...this.#view, of: this, moment: parseMoment(text) });
  }

  /**
   * Yields what `work` yields, all read from one moment, for as long as that takes and `limitMs` at most. It
   * takes a connection besides those of the pool.
   */
  async *keep<T>(work: (db: Database) => AsyncIterable<T>, limitMs: number): AsyncGenerator<T> {
    const pinned = this.#view?.moment ?? (await this.#moments.current());
    const reading = { isolation: 'repeatable read', readOnly: true, idleTimeoutMs: limitMs } as const;
    const { keeper, moment } = await Keeper.open(
      { ...this.#keeping, begin: beginText(reading, this.#options, pinned) },
      pinned,
    );
    try {
      yield* work(new Database(this.#options, { ...this.#view, of: this, moment }));
    } finally {
      keeper.end();
    }
  }

  /**
   * The same connections. Each transaction begins with `setting`. INVARIANT: its first statement sets the
   * settings that it gets; without them, a transaction would have no limits.
   */
  withSetting(setting: Opening): Database {
    return new Database(this.#options, { ...this.#view, of: this, setting });
  }

  /**
   * The same connections. Each transaction runs `opening` before its work, after what this database runs
   * before; closing it closes nothing.
   */
  withOpening(opening: Opening): Database {
    const before = this.#view?.opening;
    const both: Opening = async (...given) => {
      await before?.(...given);
      await opening(...given);
    };
    return new Database(this.#options, { ...this.#view, of: this, opening: both });
  }

  /** Closes every connection. Safe to call twice. */
  async close(): Promise<void> {
    if (this.#view !== undefined) return;
    this.#moments.close();
    if (this.#options.signal?.aborted) this.#cutAll();
    if (!this.#pool.ended && !this.#pool.ending) await this.#pool.end();
  }

  async #repeat<T>(options: TransactionOptions, once: () => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await once();
      } catch (error) {
        const { signal } = this.#options;
        if (signal?.aborted) throw cancelledBy(signal, error);
        if (!isSerializationFailure(error) || attempt >= (options.retries ?? 0)) throw error;
        await pause(Math.random() * 20 * 2 ** Math.min(attempt, 6));
      }
    }
  }

  async #once<T>(
    options: TransactionOptions,
    work: (tx: Transaction) => Promise<T>,
    ending: 'commit' | 'rollback',
  ): Promise<T> {
    const client = await this.#begin(options);
    this.#busy.add(client);
    let broken = false;
    try {
      // The signal may have been aborted while the connection was established; no work has run yet.
      this.#refuseIfAborted();
      const pooled = client as unknown as PooledClient;
      return await finishTransaction(pooled, work, ending, this.#facts(options));
    } catch (error) {
      broken = isConnectionLoss(error) || isPlanLost(error);
      throw error;
    } finally {
      this.#busy.delete(client);
      client.release(broken || this.#options.signal?.aborted);
    }
  }

  #facts({ statementTimeoutMs = this.statementTimeoutMs }: Pick<TransactionOptions, 'statementTimeoutMs'>) {
    const names = { schema: this.schema, trustSchema: this.trustSchema, statementTimeoutMs };
    const moment = this.#view?.moment;
    return moment === undefined ? names : { ...names, moment };
  }

  /**
   * A client with an open transaction. BEGIN has no effect, so a retry on another connection is always safe.
   */
  async #begin(options: TransactionOptions): Promise<pg.PoolClient> {
    const { moment, setting, opening } = this.#view ?? {};
    const of = moment === undefined ? options : ({ ...options, ...AT_A_MOMENT } as const);
    const inParts = setting !== undefined;
    const { text: begin, settings } = beginning(of, this.#options, { moment, inParts });
    if (moment === undefined && setting === undefined && opening === undefined) return this.#take(of, begin);
    const client = await (moment === undefined ? this.#take(of, begin) : this.#take(of));
    const pooled = client as unknown as PooledClient;
    try {
      if (moment !== undefined) await importMoment(pooled, begin, this.#facts(of), moment);
      const tx = new Transaction(pooled, this.#facts(of));
      await setting?.(tx, of, settings);
      await opening?.(tx, of, settings);
      return client;
    } catch (failure) {
      const error = moment === undefined ? failure : atTheMoment(failure);
      // Refused: the connection is as good as before, unless it is lost.
      const ended = await pooled.answer(client.query('rollback')).catch(() => undefined);
      client.release(ended === undefined || isPlanLost(error));
      throw error;
    }
  }

  /** A client on which `opening`, if any, has run. Anything but a BEGIN would not be safe to repeat. */
  async #take(options: Partial<TransactionOptions>, opening?: string): Promise<pg.PoolClient> {
    const deadline = performance.now() + this.#options.connectTimeoutMs;
    for (;;) {
      this.#refuseIfAborted();
      let connected = false;
      try {
        const client = await this.#connect();
        this.#hasConnected = true;
        connected = true;
        try {
          const pooled = client as unknown as PooledClient;
          pooled.deadlineMs = answerDeadline(options, this.#options);
          pooled.onAnswer = options.isBackground ? undefined : this.#noteAnswer;
          if (opening !== undefined) await pooled.answer(client.query(opening));
          return client;
        } catch (error) {
          client.release(true);
          throw error;
        }
      } catch (error) {
        const starting = sqlstateOf(error) === '57P03';
        const canRetry = starting || (this.#hasConnected && isTransient(error));
        if (!canRetry || performance.now() > deadline)
          throw whyNotBegun(error, { connected, hasConnected: this.#hasConnected });
        await pause(RETRY_PAUSE_MS);
      }
    }
  }

  /**
   * A connection of the pool. All may be in use, and a new one may never be established: abandon() ends both
   * waits.
   */
  #connect(): Promise<pg.PoolClient> {
    const connecting = this.#pool.connect();
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        reject(dbErrors.transaction_lost('the connections were given up'));
        connecting.then(
          (client) => client.release(true),
          () => undefined,
        );
      };
      this.#waiting.add(giveUp);
      connecting.then(resolve, reject).finally(() => this.#waiting.delete(giveUp));
    });
  }

  #refuseIfAborted(): void {
    const { signal } = this.#options;
    if (signal?.aborted) throw cancelledBy(signal);
    if (this.#isAbandoned) throw dbErrors.transaction_lost('the connections were given up');
  }

  /**
   * Gives all connections up at once, without waiting for the server, and refuses further work until the
   * returned function is called.
   */
  abandon(): () => void {
    this.#isAbandoned = true;
    this.#cutAll();
    for (const giveUp of this.#waiting) giveUp();
    return () => {
      this.#isAbandoned = false;
    };
  }

  /**
   * Cancels all running statements. A cancel request that arrives between two statements has no effect, so it
   * is repeated until every transaction has ended. Idle connections and those still being established are
   * closed at once; if the server does not answer within the grace period, all connections are closed.
   */
  #cancelAll(since: number): void {
    for (const client of this.#connections) if (!this.#busyWith(client)) client.cut();
    for (const client of this.#busy) void cancelRunning(client);
    if (performance.now() - since > CANCEL_GRACE_MS) this.#cutAll();
    else if (this.#busy.size > 0) setTimeout(() => this.#cancelAll(since), RETRY_PAUSE_MS);
  }

  #busyWith(client: PooledClient): boolean {
    return this.#busy.has(client as unknown as pg.PoolClient);
  }

  #cutAll(): void {
    for (const client of this.#connections) client.cut();
  }
}
