// Owns the moments of one process. One transaction per half minute exports a snapshot for each moment and
// keeps all of them for a minute: so it needs at most four connections, and vacuum waits for 90 s at most
// (decision 125).
import { hasCode } from '../kernel/index.js';
import type { PooledClient } from './connection.js';
import { dbErrors, sqlstateOf, translateError } from './errors.js';
import { contentOf, type Moment } from './moment.js';
import { exportMoment, readImported } from './moments.sql.js';
import { Transaction, type TransactionFacts } from './transaction.js';

/** How long a moment can be read at least. */
const KEPT_MS = 60_000;
/** For how long one transaction takes new moments. */
const TAKING_MS = 30_000;
/** Requests within this time share a moment. */
const SHARED_MS = 1_000;
/** How old the time of a moment may be, by the clock of the server: longer than any moment is kept. */
const OLDEST_SECONDS = 150;

/** A transaction that keeps the moments which it exported. */
class Holder {
  readonly #client: PooledClient;
  readonly #tx: Transaction;
  readonly #openedAt = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(client: PooledClient, facts: TransactionFacts, onEnd: () => void) {
    this.#client = client;
    this.#tx = new Transaction(client, facts);
    client.once('end', () => {
      this.#isOver = true;
      clearTimeout(this.#timer);
      onEnd();
    });
  }

  get takes(): boolean {
    return !this.#isOver && performance.now() - this.#openedAt < TAKING_MS;
  }

  async take(): Promise<Moment> {
    const row = await this.#tx.one(exportMoment, {});
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.end(), KEPT_MS).unref();
    return { at: row.at, snapshot: row.snapshot, content: contentOf(row.content) };
  }

  end(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    // The server rolls back. One that does not answer is not waited for.
    const cut = setTimeout(() => this.#client.cut(), 1_000);
    void this.#client
      .end()
      .catch(() => undefined)
      .finally(() => clearTimeout(cut));
  }
}

/** How long the server waits for the next request of a transaction that keeps moments. */
export const IDLE_MS = KEPT_MS + TAKING_MS;

export interface MomentsOptions {
  /** A client of its own: moments are kept for longer than any client of the pool is used. */
  readonly connect: () => PooledClient;
  /** What opens a transaction at read committed, in which each statement sees a state of its own. */
  readonly begin: string;
  readonly facts: TransactionFacts;
}

/** The moments of one process. */
export class Moments {
  readonly #options: MomentsOptions;
  readonly #holders = new Set<Holder>();
  #newest: Holder | undefined;
  #latest: { readonly moment: Promise<Moment>; readonly takenAt: number } | undefined;
  #isClosed = false;

  constructor(options: MomentsOptions) {
    this.#options = options;
  }

  /** How many connections keep moments now. */
  get held(): number {
    return this.#holders.size;
  }

  /** A moment that is a second old at most, and younger than the last call of `renew`. */
  current(): Promise<Moment> {
    const latest = this.#latest;
    if (latest !== undefined && performance.now() - latest.takenAt < SHARED_MS) return latest.moment;
    const taken = { moment: this.#take(), takenAt: performance.now() };
    this.#latest = taken;
    taken.moment.catch(() => {
      if (this.#latest === taken) this.#latest = undefined;
    });
    return taken.moment;
  }

  /** The next moment is a new one: what was just written must be in it. */
  renew(): void {
    this.#latest = undefined;
  }

  /** Ends all moments. */
  close(): void {
    this.#isClosed = true;
    for (const holder of this.#holders) holder.end();
  }

  async #take(): Promise<Moment> {
    if (this.#isClosed) throw dbErrors.operation_cancelled('the process stops');
    try {
      this.#newest = this.#newest?.takes ? this.#newest : await this.#open();
      return await this.#newest.take();
    } catch (error) {
      this.#newest?.end();
      this.#newest = undefined;
      throw translateError(error);
    }
  }

  async #open(): Promise<Holder> {
    const { connect, begin, facts } = this.#options;
    const client = connect();
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.answer(client.query(begin));
    } catch (error) {
      client.cut();
      throw error;
    }
    const holder = new Holder(client, facts, () => {
      this.#holders.delete(holder);
      // A moment whose transaction has ended cannot be imported any more.
      if (this.#newest === holder) this.#latest = undefined;
    });
    this.#holders.add(holder);
    if (this.#isClosed) holder.end();
    return holder;
  }
}

/** A transaction that keeps the moment it reads, for work that takes longer than a moment is kept. */
export class Keeper {
  readonly #client: PooledClient;

  private constructor(client: PooledClient) {
    this.#client = client;
  }

  /** Opens it on a connection of its own, with the name under which it keeps the moment. */
  static async open(
    { connect, begin, facts }: MomentsOptions,
    moment: Moment,
  ): Promise<{ readonly keeper: Keeper; readonly moment: Moment }> {
    const client = connect();
    client.on('error', () => undefined);
    try {
      await client.connect();
      await importMoment(client, begin, facts, moment);
      const { snapshot } = await new Transaction(client, facts).one(exportMoment, {});
      return { keeper: new Keeper(client), moment: { ...moment, snapshot, isKept: true } };
    } catch (error) {
      client.cut();
      throw translateError(error);
    }
  }

  end(): void {
    void this.#client.end().catch(() => undefined);
  }
}

const expired = (cause?: unknown): Error =>
  dbErrors.as_of_expired('as_of: this moment cannot be read any more', { cause });

/** The server refused to import a snapshot: its transaction has ended, or it is of another database. */
const NOT_IMPORTED = ['22023', '42704', '55000', '0A000'];

/** Opens a transaction on `client` that reads `moment`, by `begin`. Throws if it would read another one. */
export async function importMoment(
  client: PooledClient,
  begin: string,
  facts: TransactionFacts,
  moment: Moment,
): Promise<void> {
  try {
    await client.answer(client.query(begin));
  } catch (error) {
    if (!NOT_IMPORTED.includes(sqlstateOf(error) ?? '')) throw translateError(error);
    throw expired(error);
  }
  const tx = new Transaction(client, facts);
  const { content, age_seconds: age } = await tx.one(readImported, { at: moment.at });
  // By now the name may stand for another snapshot, and the time is the word of the client.
  if (contentOf(content) === moment.content && age >= 0 && (moment.isKept === true || age <= OLDEST_SECONDS))
    return;
  throw expired();
}

/** A credential that is unknown at a moment may be younger than it: its holder reads another moment. */
export function atTheMoment(error: unknown): unknown {
  return hasCode(error, 'credential_unknown') ? expired(error) : error;
}
