// A database of its own for each test file, cloned from a template on the suite's server.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { Database, type DatabaseOptions } from '../../src/db/index.js';

export interface TestDatabase {
  readonly db: Database;
  readonly url: string;
  readonly name: string;
  close(): Promise<void>;
}

/** The URL of another database, or of another user, on the same server. */
export function urlFor(url: string, change: { database?: string; user?: string; password?: string }): string {
  const parsed = new URL(url);
  if (change.database !== undefined) parsed.pathname = `/${change.database}`;
  if (change.user !== undefined) parsed.username = change.user;
  if (change.password !== undefined) parsed.password = change.password;
  return parsed.href;
}

/** Runs `text` on the server at `url`, outside GCOS: what a DBA or the host platform would do. */
export async function asHost(url: string, text: string): Promise<pg.QueryResultRow[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const result = (await client.query(text)) as pg.QueryResult | pg.QueryResult[];
    return (Array.isArray(result) ? result.at(-1) : result)?.rows ?? [];
  } finally {
    await client.end();
  }
}

/** GCOS's own connection to `url`. */
export function openDatabase(url: string, options: Partial<DatabaseOptions> = {}): Database {
  return new Database({
    target: { kind: 'url', url },
    schema: 'public',
    statementTimeoutMs: 30_000,
    lockTimeoutMs: 5_000,
    poolSize: 4,
    connectTimeoutMs: 10_000,
    ...options,
  });
}

/** A new database, empty or cloned from `template`. */
export async function createDatabase(
  options: { template?: string; serverUrl?: string } = {},
): Promise<TestDatabase> {
  const server = options.serverUrl ?? inject('serverUrl');
  const name = `t_${randomBytes(6).toString('hex')}`;
  await asHost(server, `create database ${name} template ${options.template ?? 'template0'}`);
  const url = urlFor(server, { database: name });
  const db = openDatabase(url);
  return {
    db,
    url,
    name,
    async close() {
      await db.close();
      await asHost(server, `drop database ${name} with (force)`);
    },
  };
}
