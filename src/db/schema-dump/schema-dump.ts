// Owns the schema dump: an ordered text with everything that DDL or GRANT can change about the relations,
// functions and types of one schema, so that two states can be compared line by line on any supported server.
// The dump omits collations, operator classes, text search objects and security labels, because GCOS creates
// none.
import type { Database } from '../database.js';
import { schemaErrors } from '../migration/errors.js';
import {
  dumpColumns,
  dumpConstraints,
  dumpDetails,
  dumpFunctions,
  dumpIndexes,
  dumpPrivileges,
  dumpRelations,
  dumpTriggers,
  dumpTypes,
} from './schema-dump.sql.js';

/** One statement per kind of object; each returns lines that belong to an object. */
const PARTS = [
  dumpRelations,
  dumpColumns,
  dumpConstraints,
  dumpIndexes,
  dumpTriggers,
  dumpDetails,
  dumpFunctions,
  dumpTypes,
  dumpPrivileges,
];

/** Plain code-unit order: the same on every machine, independent of the locale. */
function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The schema of `db` as text: objects in name order, and the lines of each object in a fixed order. */
export async function dumpSchema(db: Database): Promise<string> {
  const rows = await db.transaction(
    { isolation: 'repeatable read', readOnly: true, statementTimeoutMs: 30_000 },
    async (tx) => {
      const found = [];
      for (const each of PARTS) found.push(...(await tx.run(each, { schema: db.schema })));
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
