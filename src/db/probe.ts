// Owns running SQL that is stored as data in a table, such as the query of a rule. Each probe has its own
// connection with a read-only login, and a read-only transaction that has a time limit and is always rolled
// back. A watchdog terminates the backend of a probe that exceeds its limits. GCOS passes the SQL as the
// query of a cursor, so that it can only be one statement. Each sort and hash has a small memory, and the
// login a limit of temporary files if a superuser set one (role.ts). No setting bounds the number of sorts,
// or the size of one value.
import type pg from 'pg';
import type { TlsSettings } from '../kernel/index.js';
import { PooledClient } from './connection.js';
import { sqlstateOf } from './errors.js';
import { quoteIdentifier } from './quote.js';
import { connectionOf } from './tls.js';

export interface ProbeOptions {
  /** The URL of the read-only login, never the login of the rest of GCOS. */
  readonly url: string;
  readonly tls?: TlsSettings;
  readonly schema: string;
  readonly connectTimeoutMs: number;
}

export interface ProbeLimits {
  readonly statementMs: number;
  readonly rows: number;
}

export type Probed =
  | {
      readonly outcome: 'rows';
      /** In the server's text format. */
      readonly rows: readonly (readonly (string | null)[])[];
      /** Whether the query has more rows than the limit. */
      readonly more: boolean;
    }
  | { readonly outcome: 'failed'; readonly why: ProbeFailure; readonly sqlstate: string | null };

/**
 * `login`: the reader cannot log in, or may do more than read. `too_large`: the answer exceeds `MAX_BYTES`.
 * `exhausted`: the query exceeds the limit of temporary files, or the memory or disk of the server.
 */
type ProbeFailure = 'login' | 'timeout' | 'lost' | 'refused' | 'too_large' | 'exhausted';

/** How long the watchdog waits after the limit. The statement's own time-out should have ended it by then. */
const GRACE_MS = 1_000;
const LOCK_TIMEOUT_MS = 500;
/**
 * How often a backend checks that its client is still connected, in case the watchdog could not terminate it.
 */
const LISTENER_CHECK_MS = 500;
/** The limit for all data that the server sends for one probe: a single row may have a gigabyte. */
const MAX_BYTES = 16 * 1024 * 1024;
/** The memory of one sort or hash; beyond it the server uses temporary files. */
const WORK_MEMORY = '16MB';
const ASIS = { getTypeParser: () => (text: string) => text };

/**
 * An unnamed prepared statement: it accepts exactly one statement and leaves nothing behind a pooler. The
 * driver's types do not declare this mode.
 */
interface Prepared extends pg.QueryConfig {
  readonly queryMode: 'extended';
}

class ReaderUnfit extends Error {}
class AnswerTooLarge extends Error {}
class EndedFromOutside extends Error {}

/** A login with administrative attributes, or with membership in another role, is not read-only. */
const FITNESS = `select r.rolsuper or r.rolcreaterole or r.rolbypassrls or r.rolreplication or exists (
    select from pg_auth_members m where m.member = r.oid) as unfit,
    pg_backend_pid() as pid
  from pg_roles r where r.rolname = session_user`;

/** Settings that do not exist in every server version ($1) or on every platform ($2). */
const BOUNDS = `select set_config(s.name, s.value, true)
  from (values ('transaction_timeout', $1::text, current_setting('server_version_num')::int >= 170000),
    ('client_connection_check_interval', $2::text, version() ~* 'linux')) as s (name, value, is_there)
  where s.is_there`;

function beginText(schema: string, { statementMs }: ProbeLimits, statements: number): string {
  const whole = (statementMs + GRACE_MS) * statements;
  return `begin isolation level repeatable read read only;
set local search_path = ${quoteIdentifier(schema)}, pg_temp;
set local statement_timeout = ${Math.ceil(statementMs)};
set local lock_timeout = ${LOCK_TIMEOUT_MS};
set local idle_in_transaction_session_timeout = ${Math.ceil(whole)};
set local work_mem = '${WORK_MEMORY}';
set local hash_mem_multiplier = 1;
set local max_parallel_workers_per_gather = 0;
set local jit = off;
set local standard_conforming_strings = on;
set local "gcos.probe" = 'on'`;
}

function failureOf(error: unknown): Probed {
  const sqlstate = sqlstateOf(error) ?? null;
  if (error instanceof ReaderUnfit || sqlstate?.startsWith('28'))
    return { outcome: 'failed', why: 'login', sqlstate };
  if (error instanceof AnswerTooLarge) return { outcome: 'failed', why: 'too_large', sqlstate };
  if (error instanceof EndedFromOutside) return { outcome: 'failed', why: 'timeout', sqlstate };
  if (sqlstate === '57014' || sqlstate === '25P04' || sqlstate === '25P03' || sqlstate === '57P01')
    return { outcome: 'failed', why: 'timeout', sqlstate };
  if (sqlstate?.startsWith('53')) return { outcome: 'failed', why: 'exhausted', sqlstate };
  return { outcome: 'failed', why: sqlstate === null ? 'lost' : 'refused', sqlstate };
}

export class Prober {
  readonly #options: ProbeOptions;
  readonly #connection: pg.ClientConfig;

  constructor(options: ProbeOptions) {
    this.#options = options;
    this.#connection = connectionOf({ kind: 'url', url: options.url }, options.tls).driver;
  }

  #client(): PooledClient {
    const client = new PooledClient({
      ...this.#connection,
      connectionTimeoutMillis: this.#options.connectTimeoutMs,
      application_name: 'gcos rule',
      types: ASIS as unknown as pg.CustomTypesConfig,
    });
    // The running statement reports the error. An idle connection needs no report, because it is used only
    // once.
    client.on('error', () => undefined);
    return client;
  }

  /** Runs `statements` one after the other in one snapshot, and stops at the first one that fails. */
  async run(statements: readonly string[], limits: ProbeLimits): Promise<readonly Probed[]> {
    const client = this.#client();
    const done: Probed[] = [];
    let watchdog: NodeJS.Timeout | undefined;
    let isEnded = false;
    try {
      await client.connect();
      await client.query(beginText(this.#options.schema, limits, statements.length));
      const { rows } = await client.query<{ unfit: string; pid: string }>(FITNESS);
      if (rows[0]?.unfit !== 'f') throw new ReaderUnfit();
      const pid = Number(rows[0].pid);
      await client.query(BOUNDS, [
        String(Math.ceil((limits.statementMs + GRACE_MS) * statements.length)),
        String(LISTENER_CHECK_MS),
      ]);
      const isTooLarge = client.cutAfter(MAX_BYTES);
      for (const [index, text] of statements.entries()) {
        watchdog = setTimeout(() => {
          isEnded = true;
          void this.#end(client, pid);
        }, limits.statementMs + GRACE_MS);
        const fetched = this.#fetch(client, `gcos_rule_${index}`, text, limits.rows);
        done.push(
          await fetched.catch((error) => Promise.reject(isTooLarge() ? new AnswerTooLarge() : error)),
        );
        clearTimeout(watchdog);
      }
      await client.query('rollback');
    } catch (error) {
      done.push(failureOf(isEnded ? new EndedFromOutside() : error));
    } finally {
      clearTimeout(watchdog);
      // No graceful shutdown: the results are complete.
      client.cut();
    }
    return done;
  }

  async #fetch(client: pg.Client, name: string, text: string, rows: number): Promise<Probed> {
    const declare: Prepared = {
      text: `declare ${name} no scroll cursor without hold for ${text}`,
      queryMode: 'extended',
    };
    await client.query(declare);
    const found = await client.query<(string | null)[]>({
      text: `fetch forward ${rows + 1} from ${name}`,
      rowMode: 'array',
    });
    return { outcome: 'rows', rows: found.rows.slice(0, rows), more: found.rows.length > rows };
  }

  /**
   * Terminates the backend from a second session of the same login, in case a statement has reset its
   * time-out.
   */
  async #end(client: PooledClient, pid: number): Promise<void> {
    const other = this.#client();
    try {
      await other.connect();
      await other.query('select pg_terminate_backend($1)', [pid]);
    } catch {
      // The connection is closed in any case, and the transaction has its own time-outs.
    } finally {
      other.cut();
      client.cut();
    }
  }
}
