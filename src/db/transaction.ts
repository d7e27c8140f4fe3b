// Owns a transaction: its isolation, limits and session-independent settings, its savepoints and its end.
// Everything is SET LOCAL, so it behaves the same behind a transaction-mode pooler.
import type pg from 'pg';
import { sendTogether } from './connection.js';
import { dbErrors, sqlstateOf, translateError } from './errors.js';
import type { Memo } from './memo.js';
import { quoteIdentifier } from './quote.js';
import { checkRows, type Statement, valuesOf } from './statement.js';
import { toWire } from './value.js';

export interface TransactionOptions {
  readonly isolation: 'read committed' | 'repeatable read' | 'serializable';
  readonly readOnly?: boolean;
  readonly statementTimeoutMs?: number;
  readonly lockTimeoutMs?: number;
  /** How long the server waits for this client between two statements before it gives the locks up. */
  readonly idleTimeoutMs?: number;
  /** How often the whole work may be repeated after a serialization failure or a deadlock. Default 0. */
  readonly retries?: number;
}

export interface TransactionDefaults {
  readonly schema: string;
  readonly statementTimeoutMs: number;
  readonly lockTimeoutMs: number;
}

/** A frozen process must not hold locks for longer than this (host births could queue behind them). */
const IDLE_TIMEOUT_MS = 15_000;

/** The text that opens a transaction: one round trip, whatever is set. */
export function beginText(options: TransactionOptions, defaults: TransactionDefaults): string {
  const settings = {
    statement_timeout: options.statementTimeoutMs ?? defaults.statementTimeoutMs,
    lock_timeout: options.lockTimeoutMs ?? defaults.lockTimeoutMs,
    idle_in_transaction_session_timeout: options.idleTimeoutMs ?? IDLE_TIMEOUT_MS,
    // A client frozen while the server is sending it a result is not idle: only the connection can time out.
    tcp_user_timeout: options.idleTimeoutMs ?? IDLE_TIMEOUT_MS,
    search_path: `${quoteIdentifier(defaults.schema)}, pg_temp`,
    timezone: "'UTC'",
    datestyle: "'ISO, MDY'",
    intervalstyle: "'iso_8601'",
    // Row-level security must raise an error instead of hiding rows from the count.
    row_security: 'off',
    // Stock servers compile what they estimate to be expensive, which makes whole commands 2 to 9 times slower.
    jit: 'off',
  };
  const locals = Object.entries(settings).map(([name, value]) => `set local ${name} = ${value}`);
  return [
    `begin isolation level ${options.isolation} ${options.readOnly ? 'read only' : 'read write'}`,
    ...locals,
  ].join('; ');
}

export interface TransactionMeans {
  /** Where all of it sees one state: only then is a version that of what is read after it. */
  readonly memo?: Memo | undefined;
  /** Whether the server at the other end is the one that this connection was made to: one pooled by transactions changes. */
  readonly keepsPlans?: boolean;
}

/** How near an error is to the cause: a transaction that has failed already, a plan that was not made because of that, anything else. */
function causeRank(error: unknown): number {
  const ranks: Readonly<Record<string, number>> = { '25P02': 0, '26000': 1 };
  return ranks[sqlstateOf(error) ?? ''] ?? 2;
}

type AllOf<T extends readonly Promise<unknown>[]> = { -readonly [K in keyof T]: Awaited<T[K]> };

export class Transaction {
  readonly #client: pg.ClientBase;
  readonly #memo: Memo | undefined;
  readonly #keepsPlans: boolean;
  readonly #asked = new Map<string, Promise<unknown>>();
  #savepoints = 0;

  constructor(client: pg.ClientBase, { memo, keepsPlans = false }: TransactionMeans = {}) {
    this.#client = client;
    this.#memo = memo;
    this.#keepsPlans = keepsPlans;
  }

  /** Whether it pays to find out the version of something before reading it. */
  get remembers(): boolean {
    return this.#memo !== undefined;
  }

  /** What `read` returns, or returned before in any transaction of this database at the same version. */
  async recall<T>(name: string, version: string, read: () => Promise<T>): Promise<T> {
    return this.#memo === undefined ? read() : this.#memo.recall(name, version, read);
  }

  /** What `read` returned when it was first asked for under `name` in this transaction: for what no transaction of GCOS changes. */
  once<T>(name: string, read: () => Promise<T>): Promise<T> {
    const known = this.#asked.get(name) as Promise<T> | undefined;
    if (known !== undefined) return known;
    const asked = read();
    this.#asked.set(name, asked);
    // What failed behind a savepoint may be asked for again once that is undone.
    asked.catch(() => this.#asked.delete(name));
    return asked;
  }

  /** Runs one declared statement and returns its rows. */
  async run<P, R>(statement: Statement<P, R>, params: P): Promise<readonly R[]> {
    const values = valuesOf(statement, params).map(toWire);
    const { rows } = await this.#client
      .query<pg.QueryResultRow>({ text: statement.text, values })
      .catch((error: unknown) => {
        throw translateError(error);
      });
    return checkRows(statement, rows);
  }

  /** Runs a statement that returns exactly one row. */
  async one<P, R>(statement: Statement<P, R>, params: P): Promise<R> {
    const [row, ...rest] = await this.run(statement, params);
    if (row === undefined || rest.length > 0) {
      throw dbErrors.database_error(
        `\`${statement.name}\` returned ${rest.length + (row ? 1 : 0)} rows instead of one`,
      );
    }
    return row;
  }

  /**
   * Starts what `start` starts, so that its first statements make one way to the server and back, and waits for all of it. For what needs
   * nothing of each other, and no savepoint: statements of all of it are answered in the order in which they were sent. With `keptPlans`
   * the server uses the plans that it has kept of them, where it keeps any: for a handful, planning takes longer than what is planned.
   */
  async together<const T extends readonly Promise<unknown>[]>(
    start: () => T,
    { keptPlans = false }: { readonly keptPlans?: boolean } = {},
  ): Promise<AllOf<T>> {
    if (keptPlans && this.#keepsPlans)
      return this.under({ plan_cache_mode: 'force_generic_plan' }, () => this.together(start));
    let failure: { readonly error: unknown } | undefined;
    // Behind a failure the server refuses everything, and who learns of it first is a matter of chance: the cause is what is told.
    const noteFailure = (error: unknown) => {
      if (failure === undefined || causeRank(failure.error) < causeRank(error)) failure = { error };
    };
    // All of it ends before anything goes on: nothing may be sent behind the ROLLBACK that follows a failure.
    const ended = await Promise.all(sendTogether(this.#client, start).map((each) => each.catch(noteFailure)));
    if (failure !== undefined) throw failure.error;
    return ended as AllOf<T>;
  }

  /** Runs `work` under other settings of the planner, which travel with it: they hold for the first statements that it sends, and for no later ones. */
  async under<T>(settings: Readonly<Record<string, string>>, work: () => Promise<T>): Promise<T> {
    const set = (to: (value: string) => string) =>
      this.script(
        Object.entries(settings)
          .map(([name, value]) => `set local ${name} ${to(value)}`)
          .join('; '),
      );
    const [, value] = await this.together(() => [
      set((value) => `= ${value}`),
      work(),
      set(() => 'to default'),
    ]);
    return value;
  }

  /** Runs a script of several statements without parameters or results, such as a migration. */
  async script(text: string): Promise<void> {
    try {
      await this.#client.query(text);
    } catch (error) {
      throw translateError(error);
    }
  }

  /** Runs `work` behind a savepoint: if it throws, its effects are undone and the transaction goes on. */
  async savepoint<T>(work: () => Promise<T>): Promise<T> {
    this.#savepoints += 1;
    const name = `gcos_${this.#savepoints}`;
    await this.script(`savepoint ${name}`);
    try {
      const value = await work();
      await this.script(`release savepoint ${name}`);
      return value;
    } catch (error) {
      await this.script(`rollback to savepoint ${name}; release savepoint ${name}`);
      throw error;
    }
  }
}

/** Runs `work` between BEGIN and its end on `client`, which has already answered BEGIN. */
export async function finishTransaction<T>(
  client: pg.ClientBase,
  work: () => Promise<T>,
  ending: 'commit' | 'rollback',
): Promise<T> {
  let value: T;
  try {
    value = await work();
  } catch (error) {
    // If the connection is gone the server has rolled back already; the first error is the one to tell.
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
  const end = await client.query(ending).catch((error: unknown) => {
    throw translateError(error);
  });
  // COMMIT of a failed transaction answers ROLLBACK instead of an error.
  if (ending === 'commit' && end.command !== 'COMMIT')
    throw dbErrors.transaction_lost('the server answered COMMIT with ROLLBACK');
  return value;
}
