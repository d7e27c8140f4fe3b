// Owns a transaction: its isolation, limits and session-independent settings, its savepoints and its end.
// Everything is SET LOCAL, so it behaves the same behind a transaction-mode pooler.
import type pg from 'pg';
import { dbErrors, translateError } from './errors.js';
import { quoteIdentifier } from './quote.js';
import { checkRows, type Statement, valuesOf } from './statement.js';

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

export class Transaction {
  readonly #client: pg.ClientBase;
  #savepoints = 0;

  constructor(client: pg.ClientBase) {
    this.#client = client;
  }

  /** Runs one declared statement and returns its rows. */
  async run<P, R>(statement: Statement<P, R>, params: P): Promise<readonly R[]> {
    const values = [...valuesOf(statement, params)];
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

  /** Runs `work` with other settings of the planner, which hold until it has ended. */
  async withSettings<T>(settings: Readonly<Record<string, string>>, work: () => Promise<T>): Promise<T> {
    const names = Object.keys(settings);
    await this.script(names.map((name) => `set local ${name} = ${settings[name]}`).join('; '));
    const value = await work();
    // Without this after a failure: it has ended the transaction, or a savepoint takes the settings back.
    await this.script(names.map((name) => `set local ${name} to default`).join('; '));
    return value;
  }

  /**
   * Runs `work` without nested loops. Rows written a moment ago have no statistics: the planner expects a handful, for which a
   * nested loop is best. For thousands it is quadratic.
   */
  withoutNestedLoops<T>(work: () => Promise<T>): Promise<T> {
    return this.withSettings({ enable_nestloop: 'off' }, work);
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
  work: (tx: Transaction) => Promise<T>,
  ending: 'commit' | 'rollback',
): Promise<T> {
  let value: T;
  try {
    value = await work(new Transaction(client));
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
