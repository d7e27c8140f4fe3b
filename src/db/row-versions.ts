// Owns telling at a glance that nobody has written to a table: every write leaves a row in another place, or by another transaction.
// It says nothing about structure, and nothing about views, foreign and partitioned tables: callers ask for plain ones that are there.
import { quoteIdentifier, quoteLiteral } from './quote.js';
import { type Statement, statement } from './statement.js';
import type { Transaction } from './transaction.js';

function rowVersions(
  names: readonly string[],
): Statement<Record<never, never>, { name: string; rows: string }> {
  const one = (name: string) => `select ${quoteLiteral(name)}::text as name,
  concat_ws(':', count(*), sum(hashtextextended(t.xmin::text, hashtidextended(t.ctid, 4703202606014703)))) as rows
from ${quoteIdentifier(name)} t`;
  return statement({ name: 'db.rowVersions', sql: names.map(one).join('\nunion all\n') });
}

/** What the rows of each of `names` are at, as the transaction sees them. */
export async function readRowVersions(
  tx: Transaction,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (names.length === 0) return new Map();
  return new Map((await tx.run(rowVersions(names), {})).map((row) => [row.name, row.rows]));
}
