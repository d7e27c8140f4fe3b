// Owns the only clock that counts: the server's. Everything else takes a time as a parameter.
import readTimeSql from './read-time.sql.js';
import { statement } from './statement.js';
import type { Transaction } from './transaction.js';

export const readTime = statement({
  name: 'db.read_time',
  sql: readTimeSql,
  params: {},
  columns: { at: 'timestamptz' },
});

/** The server's time now, as text with microseconds. */
export async function readServerTime(tx: Transaction): Promise<string> {
  return (await tx.one(readTime, {})).at;
}
