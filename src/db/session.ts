// Owns a session of an operator, outside of GCOS's own work: the environment for psql, and running statements
// without it. No argument of a process holds a password: every user of a machine can read those.
import pg from 'pg';
import type { ConnectionTarget, Environment, TlsSettings } from '../kernel/index.js';
import { cancelRunning } from './cancel.js';
import { PooledClient } from './connection.js';
import { cancelledBy, translateConnectError, translateError } from './errors.js';
import { connectionOf, systemFile, type Tls } from './tls.js';

export interface SessionTarget {
  readonly target: Exclude<ConnectionTarget, { kind: 'embedded' }>;
  readonly tls: TlsSettings;
}

/** Variables that would lead psql to another server than the one that is set here. */
const ELSEWHERE = ['PGHOSTADDR', 'PGSERVICE', 'PGSERVICEFILE', 'DATABASE_URL', 'GCOS_READER_URL'];

function tlsVariables({ mode, rootCert, cert, key }: Tls): Environment {
  return {
    PGSSLMODE: mode,
    // Before version 16, psql knows only files.
    PGSSLROOTCERT: rootCert === 'system' ? (systemFile() ?? 'system') : rootCert,
    PGSSLCERT: cert,
    PGSSLKEY: key,
  };
}

/** `environment` with the variables by which libpq's programs reach the same database in the same form. */
export function libpqEnvironment({ target, tls }: SessionTarget, environment: Environment): Environment {
  const { driver, tls: found } = connectionOf(target, tls);
  const client = new pg.Client({ ...driver, ssl: false });
  const { options } = (client as unknown as { connectionParameters: { options?: string } })
    .connectionParameters;
  const kept = Object.entries(environment).filter(([name]) => !ELSEWHERE.includes(name));
  return {
    ...Object.fromEntries(kept),
    PGHOST: client.host,
    PGPORT: String(client.port),
    PGUSER: client.user,
    PGDATABASE: client.database,
    PGPASSWORD: client.password ?? undefined,
    PGOPTIONS: options,
    ...tlsVariables(found),
  };
}

/** What one statement returned, in the server's text format. */
export interface StatementResult {
  /** For example `INSERT 0 1`. */
  readonly tag: string;
  readonly columns: readonly { readonly name: string; readonly isNumber: boolean }[];
  readonly rows: readonly (readonly (string | null)[])[];
}

/** smallint, integer, bigint, oid, xid, cid, real, double precision, money, numeric, xid8. */
const NUMBERS = new Set([21, 23, 20, 26, 28, 29, 700, 701, 790, 1700, 5069]);
const AS_IS = { getTypeParser: () => (text: string) => text };

/** The driver's protocol events, which its types do not declare. */
interface WithMessages {
  readonly connection: { on(event: 'commandComplete', listener: (message: { text: string }) => void): void };
}

/** Runs `text`, one statement or several, as psql's `-c` does: several are one transaction. */
async function runText(client: PooledClient, tags: string[], text: string): Promise<StatementResult[]> {
  tags.length = 0;
  const answer: unknown = await client.answer(client.query({ text, rowMode: 'array' }));
  const results = [answer].flat() as pg.QueryArrayResult<(string | null)[]>[];
  return results.map((result, index) => ({
    tag: tags[index] ?? '',
    columns: result.fields.map(({ name, dataTypeID }) => ({ name, isNumber: NUMBERS.has(dataTypeID) })),
    rows: result.rows,
  }));
}

/** Runs each of `texts` in one session, and stops at the first that fails. */
export async function runStatements(
  { target, tls }: SessionTarget,
  texts: readonly string[],
  options: { readonly signal: AbortSignal; readonly onNotice: (text: string) => void },
): Promise<readonly StatementResult[]> {
  const { signal } = options;
  const client = new PooledClient({
    ...connectionOf(target, tls).driver,
    application_name: 'gcos psql',
    types: AS_IS as unknown as pg.CustomTypesConfig,
  });
  client.on('error', () => undefined);
  client.on('notice', ({ severity, message }) => options.onNotice(`${severity}:  ${message}`));
  const tags: string[] = [];
  (client as unknown as WithMessages).connection.on('commandComplete', ({ text }) => tags.push(text));
  const stop = () => void cancelRunning(client).finally(() => client.cut());
  signal.addEventListener('abort', stop, { once: true });
  try {
    signal.throwIfAborted();
    await client.connect().catch((error: unknown) => Promise.reject(translateConnectError(error)));
    const results: StatementResult[] = [];
    for (const text of texts) results.push(...(await runText(client, tags, text)));
    return results;
  } catch (error) {
    throw signal.aborted ? cancelledBy(signal, error) : translateError(error);
  } finally {
    signal.removeEventListener('abort', stop);
    await client.end().catch(() => undefined);
    client.cut();
  }
}
