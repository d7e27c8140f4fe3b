// Owns telling what a transaction has written so far, by the server's own count: whoever reads beside it, in the same snapshot, then
// knows whether both see the same.

import { readWrites } from './own-writes.sql.js';
import type { Transaction } from './transaction.js';

/** Whether the transaction has written to no table but `these`. What the server does not count, or cannot tell apart, counts as written. */
export async function hasWrittenOnly(tx: Transaction, these: readonly string[]): Promise<boolean> {
  const { tables } = await tx.one(readWrites, {});
  return tables?.every((table) => these.includes(table)) === true;
}
