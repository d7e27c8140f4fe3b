// Owns reading a PostgreSQL database as an estate. INVARIANT: it writes nothing and waits for no lock of a
// relation: one read-only, repeatable-read transaction over the catalogs, with a limit on every statement.
// The login needs CONNECT and nothing else.
import { Database, type Transaction } from '../../db/index.js';
import type { ConnectionTarget, TlsSettings } from '../../kernel/index.js';
import type { SourceObject, SourceReader } from '../object/index.js';
import { COMMENT_LINKS } from './comment-links.js';
import {
  mayReadConnections,
  readConnectionSecrets,
  readExtensions,
  readPublications,
  readRoles,
  readSchemas,
  readSubscriptions,
} from './estate.sql.js';
import { estateObject } from './estate-object.js';
import { PERSONAL_PATTERNS, type PersonalPatterns } from './personal-column.js';
import { readColumns, readPolicies, readRelations, readTriggers } from './relations.sql.js';
import { readFunctions, readTypes } from './routines.sql.js';

const CLASSES = [
  'schema',
  'role',
  'extension',
  'table',
  'view',
  'materialized_view',
  'foreign_table',
  'partition',
  'column',
  'personal_column',
  'policy',
  'trigger',
  'function',
  'type',
  'publication',
  'subscription',
];

/** In this order, the parent of an object comes before it. */
const STATEMENTS = [
  readSchemas,
  readRoles,
  readExtensions,
  readRelations,
  readColumns,
  readPolicies,
  readTriggers,
  readFunctions,
  readTypes,
  readPublications,
];

export interface PostgresSourceOptions {
  readonly target: Exclude<ConnectionTarget, { kind: 'embedded' }>;
  readonly tls?: TlsSettings;
  readonly connectTimeoutMs: number;
  /** How long one statement may take. */
  readonly statementTimeoutMs: number;
  /** How long the server waits for a consumer between two pages before it ends the transaction. */
  readonly idleTimeoutMs?: number;
  /** Default: the patterns that GCOS brings. */
  readonly personal?: PersonalPatterns;
  readonly signal?: AbortSignal;
}

/** Subscriptions say whether their connection holds a password; null: this login may not know. */
async function* subscriptions(tx: Transaction, patterns: PersonalPatterns): AsyncGenerator<SourceObject> {
  const { may } = await tx.one(mayReadConnections, {});
  const secrets = may ? await tx.run(readConnectionSecrets, {}) : [];
  const secretOf = new Map(secrets.map((row) => [row.code, row.secret]));
  for await (const row of tx.stream(readSubscriptions, {})) {
    const object = estateObject(row, patterns);
    const secret = secretOf.get(object.code) ?? null;
    yield { ...object, attributes: { ...object.attributes, password_in_connection: secret } };
  }
}

async function* objects(tx: Transaction, patterns: PersonalPatterns): AsyncGenerator<SourceObject> {
  for (const statement of STATEMENTS)
    for await (const row of tx.stream(statement, {})) yield estateObject(row, patterns);
  yield* subscriptions(tx, patterns);
}

/** The reader of the database at `target`, on a connection of its own. */
export function openPostgresSource(options: PostgresSourceOptions): SourceReader {
  const { personal = PERSONAL_PATTERNS, statementTimeoutMs, idleTimeoutMs = 120_000 } = options;
  const db = new Database({
    target: options.target,
    ...(options.tls === undefined ? {} : { tls: options.tls }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
    // The search path: names of the estate stand in for nothing.
    schema: 'pg_catalog',
    trustSchema: 'pg_catalog',
    statementTimeoutMs,
    lockTimeoutMs: 1_000,
    connectTimeoutMs: options.connectTimeoutMs,
    poolSize: 1,
  });
  return {
    describe: () => ({ classes: CLASSES, links: COMMENT_LINKS }),
    read: () => db.stream({ isolation: 'repeatable read', idleTimeoutMs }, (tx) => objects(tx, personal)),
    close: () => db.close(),
  };
}
