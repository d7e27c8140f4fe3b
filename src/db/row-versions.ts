// Owns a cheap check that no transaction has written to a table since the last check: every write changes the
// ctid or the xmin of a row. The check ignores changes of the table's structure. It does not support views,
// foreign tables or partitioned tables; callers pass only plain tables that exist.
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

/** A hash of the row versions of each table in `names`, as the transaction sees them. */
export async function readRowVersions(
  tx: Transaction,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (names.length === 0) return new Map();
  return new Map((await tx.run(rowVersions(names), {})).map((row) => [row.name, row.rows]));
}
