// Owns the schema as ordered text: what DDL or GRANT can change about the relations, functions and types of one schema, so
// that "before" and "after" can be compared line by line on any supported server. Left out: collations, operator classes,
// text search objects and security labels, of which GCOS makes none.
import type { Database } from '../database.js';
import { schemaErrors } from '../migration/index.js';
import { type Statement, statement } from '../statement.js';
import columnsSql from './columns.sql.js';
import constraintsSql from './constraints.sql.js';
import detailsSql from './details.sql.js';
import functionsSql from './functions.sql.js';
import indexesSql from './indexes.sql.js';
import privilegesSql from './privileges.sql.js';
import relationsSql from './relations.sql.js';
import triggersSql from './triggers.sql.js';
import typesSql from './types.sql.js';

const part = (name: string, sql: string) =>
  statement({
    name: `schema_dump.${name}`,
    sql,
    params: { schema: 'text' },
    columns: { object: 'text', rank: 'int4', line: 'text' },
  });

/** One statement per kind of thing; each yields lines that belong to an object. */
export const dumpParts: readonly Statement<
  { readonly schema: 'text' },
  { readonly object: 'text'; readonly rank: 'int4'; readonly line: 'text' }
>[] = [
  part('relations', relationsSql),
  part('columns', columnsSql),
  part('constraints', constraintsSql),
  part('indexes', indexesSql),
  part('triggers', triggersSql),
  part('details', detailsSql),
  part('functions', functionsSql),
  part('types', typesSql),
  part('privileges', privilegesSql),
];

/** Plain code-point order: the same on every machine, whatever the locale. */
function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The schema of `db` as text: objects by name, and within each its lines in a fixed order. */
export async function dumpSchema(db: Database): Promise<string> {
  const rows = await db.transaction(
    { isolation: 'repeatable read', readOnly: true, statementTimeoutMs: 30_000 },
    async (tx) => {
      const found = [];
      for (const each of dumpParts) found.push(...(await tx.run(each, { schema: db.schema })));
      return found;
    },
  );
  if (!rows.some((row) => row.object === `schema ${db.schema}`)) {
    throw schemaErrors.schema_missing(`there is no schema \`${db.schema}\` in this database`);
  }
  rows.sort((a, b) => compareText(a.object, b.object) || a.rank - b.rank || compareText(a.line, b.line));
  const lines: string[] = ['gcos schema dump, format 1'];
  let object = '';
  for (const row of rows) {
    if (row.object !== object) lines.push('', row.object);
    object = row.object;
    lines.push(`  ${row.line}`);
  }
  return `${lines.join('\n')}\n`;
}
