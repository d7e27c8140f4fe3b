// Owns telling what a transaction has written so far, by the server's own count: whoever reads beside it, in the same snapshot, then
// knows whether both see the same.
import ownWritesSql from './own-writes.sql.js';
import { statement } from './statement.js';
import type { Transaction } from './transaction.js';

const readWrites = statement({
  name: 'db.own_writes',
  sql: ownWritesSql,
  params: {},
  columns: { tables: 'text[]?' },
});
export const ownWriteStatements = [readWrites];

/** Whether the transaction has written to no table but `these`. What the server does not count, or cannot tell apart, counts as written. */
export async function hasWrittenOnly(tx: Transaction, these: readonly string[]): Promise<boolean> {
  const { tables } = await tx.one(readWrites, {});
  return tables?.every((table) => these.includes(table)) === true;
}
