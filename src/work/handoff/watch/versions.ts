// Owns telling at a glance that nobody has written to a registry since it was last looked at: every write leaves a row in another
// place, or by another transaction. Comparing contents, which costs ten times as much, is for those where something was.
import { createHash } from 'node:crypto';
import {
  quoteIdentifier,
  quoteLiteral,
  type Statement,
  statement,
  type Transaction,
} from '../../../db/index.js';
import plainTablesSql from './plain-tables.sql.js';
import type { Watched } from './registries.js';
import rowVersionsSql from './row-versions.sql.js';

const plainTables = statement({
  name: 'handoff.plain_tables',
  sql: plainTablesSql,
  params: { names: 'text[]' },
  columns: { name: 'text', structure: 'text' },
});
const VERSIONS = { name: 'text', rows: 'text' } as const;
function rowVersions(names: readonly string[]): Statement<Record<never, never>, typeof VERSIONS> {
  const one = (name: string) =>
    rowVersionsSql
      .trim()
      .replace('{{name}}', () => quoteLiteral(name))
      .replace('{{table}}', () => quoteIdentifier(name));
  return statement({
    name: 'handoff.row_versions',
    sql: names.map(one).join('\nunion all\n'),
    params: {},
    columns: VERSIONS,
  });
}
export const versionStatements = [plainTables, rowVersions(['collection_registry'])];

/** What each of `watched` is at, by source; those that cannot be told are left out. */
export async function readVersions(
  tx: Transaction,
  watched: readonly Watched[],
): Promise<ReadonlyMap<string, string>> {
  const names = [...new Set(watched.map((each) => each.table))];
  const plain = await tx.run(plainTables, { names });
  if (plain.length === 0) return new Map();
  const rows = new Map(
    (await tx.run(rowVersions(plain.map((each) => each.name)), {})).map((row) => [row.name, row.rows]),
  );
  const structures = new Map(plain.map((each) => [each.name, each.structure]));
  return new Map(
    watched.flatMap((each) => {
      const structure = structures.get(each.table);
      if (structure === undefined) return [];
      const parts = [structure, rows.get(each.table), each.key, each.content, each.facts, each.only ?? null];
      return [[each.source, createHash('sha256').update(JSON.stringify(parts)).digest('base64')] as const];
    }),
  );
}
