// Owns telling at a glance that nobody has written to a table: every write leaves a row in another place, or by another transaction.
// It says nothing about structure, and nothing about views, foreign and partitioned tables: callers ask for plain ones that are there.
import { quoteIdentifier, quoteLiteral } from './quote.js';
import rowVersionsSql from './row-versions.sql.js';
import { type Statement, statement } from './statement.js';
import type { Transaction } from './transaction.js';

const COLUMNS = { name: 'text', rows: 'text' } as const;

function rowVersions(names: readonly string[]): Statement<Record<never, never>, typeof COLUMNS> {
  const one = (name: string) =>
    rowVersionsSql
      .trim()
      .replace('{{name}}', () => quoteLiteral(name))
      .replace('{{table}}', () => quoteIdentifier(name));
  return statement({
    name: 'db.row_versions',
    sql: names.map(one).join('\nunion all\n'),
    params: {},
    columns: COLUMNS,
  });
}
export const rowVersionStatements = [rowVersions(['governance_setting'])];

/** What the rows of each of `names` are at, as the transaction sees them. */
export async function readRowVersions(
  tx: Transaction,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (names.length === 0) return new Map();
  return new Map((await tx.run(rowVersions(names), {})).map((row) => [row.name, row.rows]));
}
