// Owns the only clock that GCOS uses: the server's. All other code takes a time as a parameter.

import { readTime } from './server-time.sql.js';
import type { Transaction } from './transaction.js';

/** The server's time now, as text with microseconds; that of its moment where a transaction reads one. */
export async function readServerTime(tx: Transaction): Promise<string> {
  return tx.moment?.at ?? (await tx.one(readTime, {})).at;
}
