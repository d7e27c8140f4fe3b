// Owns a transaction: its isolation level, limits, settings, savepoints and end. All settings use SET LOCAL,
// so a transaction behaves the same behind a transaction-mode pooler.
import type pg from 'pg';
import { GcosError } from '../kernel/index.js';
import { isDirect, type PooledClient } from './connection.js';
import { CopyIn, type CopyRow } from './copy.js';
import { dbErrors, translateError } from './errors.js';
import type { Moment } from './moment.js';
import { quoteIdentifier, quoteLiteral } from './quote.js';
import { checkRows, type Statement, valuesOf } from './statement.js';

export interface TransactionOptions {
  readonly isolation: 'read committed' | 'repeatable read' | 'serializable';
  readonly readOnly?: boolean;
  readonly statementTimeoutMs?: number;
  readonly lockTimeoutMs?: number;
  /**
   * How long the server waits for this client between two statements before it ends the session and its
   * locks.
   */
  readonly idleTimeoutMs?: number;
  /** How often the work is retried after a serialization failure or a deadlock. Default 0. */
  readonly retries?: number;
  /** Whether it is no part of the work, such as the renewal of a lease: its answers are no progress. */
  readonly isBackground?: boolean;
}

export interface TransactionDefaults {
  readonly schema: string;
  readonly trustSchema: string;
  readonly statementTimeoutMs: number;
  readonly lockTimeoutMs: number;
}

/**
 * A frozen process must not hold locks for longer than this, because births on the host could queue behind
 * them.
 */
const IDLE_TIMEOUT_MS = 15_000;

/**
 * How much longer than its time-out a statement may take to be answered: the server ends it, and the answer
 * travels.
 */
const ANSWER_GRACE_MS = 5_000;

/** How long a client waits for the answer to a statement of a transaction; undefined: without end. */
export function answerDeadline(
  options: Pick<TransactionOptions, 'statementTimeoutMs'>,
  defaults: TransactionDefaults,
): number | undefined {
  const limit = options.statementTimeoutMs ?? defaults.statementTimeoutMs;
  return limit === 0 ? undefined : limit + ANSWER_GRACE_MS;
}

/** Tables that carry trust come first, so that no table of the host can stand in for one. */
export const searchPath = (names: { readonly schema: string; readonly trustSchema: string }): string =>
  `${quoteIdentifier(names.trustSchema)}, ${quoteIdentifier(names.schema)}, pg_temp`;

/** The settings of a transaction, by name. */
function settingsOf(
  options: Partial<TransactionOptions>,
  defaults: TransactionDefaults,
): readonly (readonly [name: string, value: string])[] {
  const idle = `${options.idleTimeoutMs ?? IDLE_TIMEOUT_MS}`;
  return [
    ['search_path', searchPath(defaults)],
    ['statement_timeout', `${options.statementTimeoutMs ?? defaults.statementTimeoutMs}`],
    ['lock_timeout', `${options.lockTimeoutMs ?? defaults.lockTimeoutMs}`],
    ['idle_in_transaction_session_timeout', idle],
    // A session that sends a result to a frozen client is not idle: only a TCP time-out can end it.
    ['tcp_user_timeout', idle],
    ['timezone', 'UTC'],
    ['datestyle', 'ISO, MDY'],
    ['intervalstyle', 'iso_8601'],
    // Row-level security must raise an error instead of silently hiding rows from counts.
    ['row_security', 'off'],
    // With the server default (on), JIT compilation makes whole commands 2 to 9 times slower.
    ['jit', 'off'],
  ];
}

const setLocal = ([name, value]: readonly [string, string]): string =>
  `set local ${name} = ${name === 'search_path' ? value : quoteLiteral(value)}`;

const begins = ({ isolation, readOnly }: TransactionOptions): string =>
  `begin isolation level ${isolation} ${readOnly ? 'read only' : 'read write'}`;

/** The SQL that opens a transaction with all its settings in one round trip. */
export function beginText(
  options: TransactionOptions,
  defaults: TransactionDefaults,
  moment?: Moment,
): string {
  const all = settingsOf(options, defaults);
  const pinned = moment === undefined ? [] : [`set transaction snapshot ${quoteLiteral(moment.snapshot)}`];
  // One statement instead of ten. At the other levels it would fix the snapshot, before the work takes locks.
  if (options.isolation === 'read committed') {
    const one = ([name, value]: readonly [string, string]) =>
      `pg_catalog.set_config('${name}', ${quoteLiteral(value)}, true)`;
    return `${begins(options)}; select ${all.map(one).join(', ')}`;
  }
  return [begins(options), ...pinned, ...all.map(setLocal)].join('; ');
}

/** Settings for a statement that sets them, as parallel lists. */
interface OpenSettings {
  readonly names: readonly string[];
  readonly values: readonly string[];
}

/** What runs first in every transaction, before its work; it may have to set what BEGIN did not. */
export type Opening = (
  tx: Transaction,
  options: Partial<TransactionOptions>,
  settings: OpenSettings,
) => Promise<unknown>;

/** How many of the settings come first: names and time-outs hold for the statement that sets the others. */
const FIRST = 3;

/**
 * What opens a transaction; `inParts`: with settings for the statement that follows anyway. The server
 * prepares that statement once per connection, and parses and plans the whole SQL each time: an eighth of its
 * work for one check of the gate.
 */
export function beginning(
  options: TransactionOptions,
  defaults: TransactionDefaults,
  { moment, inParts }: { readonly moment: Moment | undefined; readonly inParts: boolean },
): { readonly text: string; readonly settings: OpenSettings } {
  if (!inParts || moment !== undefined)
    return { text: beginText(options, defaults, moment), settings: { names: [], values: [] } };
  const all = settingsOf(options, defaults);
  const rest = all.slice(FIRST);
  return {
    text: [begins(options), ...all.slice(0, FIRST).map(setLocal)].join('; '),
    settings: { names: rest.map(([name]) => name), values: rest.map(([, value]) => value) },
  };
}

export interface TransactionFacts
  extends Pick<TransactionDefaults, 'schema' | 'trustSchema' | 'statementTimeoutMs'> {
  /** The moment that the transaction reads; undefined: now. */
  readonly moment?: Moment;
}

/** Sends one statement, and checks the rows that it returns. */
async function send<P, R>(
  client: PooledClient,
  statement: Statement<P, R>,
  params: P,
  prepared: { readonly name?: string },
): Promise<readonly R[]> {
  const values = [...valuesOf(statement, params)];
  const query = { ...prepared, text: statement.text, values };
  const { rows } = await client
    .answer(client.query<pg.QueryResultRow>(query))
    .catch((error: unknown) => Promise.reject(translateError(error)));
  return checkRows(statement, rows);
}

function onlyRow<P, R>(statement: Statement<P, R>, [row, ...rest]: readonly R[]): R {
  if (row !== undefined && rest.length === 0) return row;
  throw dbErrors.database_error(
    `\`${statement.name}\` returned ${rest.length + (row === undefined ? 0 : 1)} rows instead of one`,
  );
}

/** @internal Runs one statement that returns one row, on a connection without a transaction. */
export async function callOnce<P, R>(
  client: PooledClient,
  statement: Statement<P, R>,
  params: P,
): Promise<R> {
  return onlyRow(statement, await send(client, statement, params, {}));
}

export class Transaction {
  readonly #client: PooledClient;
  #savepoints = 0;
  #cursors = 0;
  /** The schema of the host's tables. */
  readonly schema: string;
  /** The schema of the tables that carry trust, and of all functions of GCOS. */
  readonly trustSchema: string;
  /** How long one statement may take, as set when the transaction began. */
  readonly statementTimeoutMs: number;
  /** The moment that it reads; undefined: now. */
  readonly moment: Moment | undefined;

  /** @internal */
  constructor(client: PooledClient, given: TransactionFacts) {
    this.#client = client;
    this.schema = given.schema;
    this.trustSchema = given.trustSchema;
    this.statementTimeoutMs = given.statementTimeoutMs;
    this.moment = given.moment;
  }

  /** Runs one declared statement and returns its rows. */
  async run<P, R>(statement: Statement<P, R>, params: P): Promise<readonly R[]> {
    return this.#query(statement, params, {});
  }

  /**
   * Like `run`, but the server parses and plans the statement once per connection: for a statement that
   * clients send all day. Measured for one answer of the gate: 0.60 instead of 0.73 ms of server time.
   */
  async runPrepared<P, R>(statement: Statement<P, R>, params: P): Promise<readonly R[]> {
    // It asks a new connection, which can be lost as with any statement.
    const direct = await isDirect(this.#client).catch((error: unknown) => {
      throw translateError(error);
    });
    return this.#query(statement, params, direct ? { name: `gcos.${statement.name}` } : {});
  }

  async #query<P, R>(
    statement: Statement<P, R>,
    params: P,
    prepared: { readonly name?: string },
  ): Promise<readonly R[]> {
    return send(this.#client, statement, params, prepared);
  }

  /**
   * The rows of one statement, `atOnce` at a time through a cursor of the server: for results that must not
   * fill the memory of the process.
   */
  async *stream<P, R>(statement: Statement<P, R>, params: P, atOnce = 1_000): AsyncGenerator<R> {
    this.#cursors += 1;
    const name = `gcos_cursor_${this.#cursors}`;
    // All rows are read; by default the server plans for the first tenth.
    await this.script('set local cursor_tuple_fraction = 1');
    const text = `declare ${name} no scroll cursor without hold for ${statement.text}`;
    await this.#query({ ...statement, text }, params, {});
    const fetch = { ...statement, text: `fetch forward ${atOnce} from ${name}`, params: [] };
    for (;;) {
      const rows = await this.#query(fetch, params, {});
      yield* rows;
      if (rows.length < atOnce) break;
    }
    await this.script(`close ${name}`);
  }

  /** Runs a statement that returns exactly one row. */
  async one<P, R>(statement: Statement<P, R>, params: P): Promise<R> {
    return onlyRow(statement, await this.run(statement, params));
  }

  /** Runs `work` with these planner settings and resets them afterwards. */
  async withSettings<T>(settings: Readonly<Record<string, string>>, work: () => Promise<T>): Promise<T> {
    const names = Object.keys(settings);
    await this.script(names.map((name) => `set local ${name} = ${settings[name]}`).join('; '));
    const value = await work();
    // Not needed after a failure: the rollback of the transaction or of a savepoint restores the settings.
    await this.script(names.map((name) => `set local ${name} to default`).join('; '));
    return value;
  }

  /**
   * Runs `work` without nested loops. Rows that were just written have no statistics, so the planner expects
   * a few rows and chooses a nested loop, which is quadratic for thousands of rows.
   */
  withoutNestedLoops<T>(work: () => Promise<T>): Promise<T> {
    return this.withSettings({ enable_nestloop: 'off' }, work);
  }

  /** Runs a script of several statements without parameters or results, such as a migration. */
  async script(text: string): Promise<void> {
    try {
      // Semicolons in function bodies count too: the deadline is only an upper bound.
      await this.#client.answer(this.#client.query(text), text.split(';').length);
    } catch (error) {
      throw translateError(error);
    }
  }

  /** Streams `rows` into the columns of a table, as COPY does. Throws what `rows` throw. */
  async copyIn(table: string, columns: readonly string[], rows: AsyncIterable<CopyRow>): Promise<void> {
    const copy = new CopyIn(`copy ${table} (${columns.map(quoteIdentifier).join(', ')}) from stdin`, rows);
    this.#client.query(copy);
    try {
      await this.#client.answer(copy.finished);
    } catch (error) {
      throw error instanceof GcosError ? error : translateError(error);
    }
  }

  /**
   * Runs `work` in a savepoint: if it throws, its effects are rolled back and the transaction stays usable.
   */
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

/**
 * @internal Yields what `work` yields and commits. If the consumer stops early, nothing ends the transaction
 * but the end of the connection.
 */
export async function* streamTransaction<T>(
  client: PooledClient,
  work: (tx: Transaction) => AsyncIterable<T>,
  given: TransactionFacts,
): AsyncGenerator<T> {
  yield* work(new Transaction(client, given));
  await client.answer(client.query('commit')).catch((error: unknown) => {
    throw translateError(error);
  });
}

/** @internal Runs `work` and ends the transaction. `client` has already executed BEGIN. */
export async function finishTransaction<T>(
  client: PooledClient,
  work: (tx: Transaction) => Promise<T>,
  ending: 'commit' | 'rollback',
  given: TransactionFacts,
): Promise<T> {
  let value: T;
  try {
    value = await work(new Transaction(client, given));
  } catch (error) {
    // If the connection is lost, the server has rolled back already. Report the first error.
    await client.answer(client.query('rollback')).catch(() => undefined);
    throw error;
  }
  const end = await client.answer(client.query(ending)).catch((error: unknown) => {
    throw translateError(error);
  });
  // The server answers COMMIT of a failed transaction with the tag ROLLBACK, not with an error.
  if (ending === 'commit' && end.command !== 'COMMIT')
    throw dbErrors.transaction_lost('the server answered COMMIT with ROLLBACK');
  return value;
}
