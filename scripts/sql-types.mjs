// Generates the TypeScript types of the statements in a `.sql` file: `page.sql.d.ts` beside `page.sql`. A
// server describes the parameters and columns of each statement. No statement is executed: the protocol
// messages Parse and Describe are enough, and they work the same on every version.
//
// Whether a column may be NULL:
// - For a column of one of GCOS's own tables, the catalog decides. If the table allows NULL, the file must
//   list the column as `nullable` or `not null`.
// - For any other column (an expression, a column of a host table or view, every column of a statement with
//   an outer join), the file decides: it is not NULL unless the file lists it as `nullable`.
import { readSql } from './sql.mjs';

/** A query object for the driver's queue that sends Parse and Describe, but neither Bind nor Execute. */
class Describe {
  #params = [];
  #fields = [];

  constructor(text, done) {
    this.text = text;
    this.done = done;
  }

  submit(wire) {
    wire.removeAllListeners('parameterDescription');
    wire.once('parameterDescription', (message) => {
      this.#params = message.dataTypeIDs;
    });
    wire.parse({ text: this.text });
    wire.describe({ type: 'S' });
    wire.sync();
  }

  handleRowDescription(message) {
    this.#fields = message.fields;
  }

  handleReadyForQuery() {
    this.done(undefined, { params: this.#params, fields: this.#fields });
  }

  handleError(error) {
    this.done(error);
  }
}

const describe = (client, text) =>
  new Promise((resolve, reject) => {
    client.query(new Describe(text, (error, described) => (error ? reject(error) : resolve(described))));
  });

/** SQL type → TypeScript type that the parsers in `src/db/value.ts` return for it. */
const SCALARS = {
  bool: 'boolean',
  int2: 'number',
  int4: 'number',
  int8: 'bigint',
  oid: 'number',
  float8: 'number',
  numeric: 'string',
  text: 'string',
  name: 'string',
  uuid: 'string',
  timestamptz: 'string',
  timestamp: 'string',
  date: 'string',
  interval: 'string',
  json: 'string',
  jsonb: 'string',
  xid8: 'string',
};

function typescriptOf(type, where, { nullable, nullElements }) {
  const element = SCALARS[type.endsWith('[]') ? type.slice(0, -2) : type];
  if (element === undefined) throw new Error(`${where} has type ${type}, for which there is no parser`);
  const list = nullElements ? `readonly (${element} | null)[]` : `readonly ${element}[]`;
  const one = type.endsWith('[]') ? list : element;
  return nullable ? `${one} | null` : one;
}

/** Type names by OID; and whether columns of GCOS's own tables are NOT NULL, by table OID and number. */
export async function readCatalog(client) {
  const types = await client.query('select oid, typname as name from pg_type');
  const columns = await client.query(
    `select a.attrelid, a.attnum, a.attnotnull
     from pg_attribute a join pg_class c on c.oid = a.attrelid
     where a.attnum > 0 and not a.attisdropped and c.relkind in ('r', 'p')
       and c.relowner <> (select b.relowner from pg_class b where b.oid = 'birth_registry'::regclass)`,
  );
  return {
    types: new Map(
      types.rows.map(({ oid, name }) => [Number(oid), name.startsWith('_') ? `${name.slice(1)}[]` : name]),
    ),
    notNull: new Map(
      columns.rows.map(({ attrelid, attnum, attnotnull }) => [`${attrelid}.${attnum}`, attnotnull]),
    ),
  };
}

const OUTER_JOIN = /\b(left|right|full)\s+(outer\s+)?join\b|\bgrouping sets\b/;

function columnOf(field, statement, catalog, problems) {
  const listed = statement.nullable.includes(field.name);
  const plain = field.tableID === 0 ? undefined : catalog.notNull.get(`${field.tableID}.${field.columnID}`);
  const outer = OUTER_JOIN.test(statement.text);
  const proven = plain === true && !outer;
  if (plain === false && !listed && !statement.notNull.includes(field.name))
    problems.push({
      statement: statement.name,
      column: field.name,
      why: 'allows NULL, but is listed neither as `nullable` nor as `not null`',
    });
  if (plain !== false && statement.notNull.includes(field.name))
    problems.push({
      statement: statement.name,
      column: field.name,
      why: 'is listed as `not null`, but is not a column of an own table that allows NULL',
    });
  const type = catalog.types.get(field.dataTypeID);
  const nullable = listed && !proven;
  if (listed && proven)
    problems.push({
      statement: statement.name,
      column: field.name,
      why: 'is listed as `nullable`, but its table declares it NOT NULL',
    });
  return `    readonly ${field.name}: ${typescriptOf(type, `${statement.name}.${field.name}`, { nullable })};`;
}

async function declarationOf(client, catalog, statement, problems) {
  const text = Object.entries(statement.parts).reduce(
    (sql, [part, example]) => sql.replaceAll(`{{${part}}}`, () => example),
    statement.text,
  );
  const described = await describe(client, text).catch((error) => {
    throw new Error(`${statement.name}: ${error.message}`, { cause: error });
  });
  const params = statement.params.map((name, index) => {
    const type = catalog.types.get(described.params[index]);
    const sqlName = statement.paramNames[index];
    const where = `${statement.name}(:${sqlName})`;
    const nullable = statement.nullableParams.includes(sqlName);
    const nullElements = statement.nullableParams.includes(`${sqlName}[]`);
    return `    readonly ${name}: ${typescriptOf(type, where, { nullable, nullElements })};`;
  });
  const columns = described.fields.map((field) => columnOf(field, statement, catalog, problems));
  for (const [index, { name }] of described.fields.entries())
    if (described.fields.findIndex((field) => field.name === name) !== index)
      problems.push({
        statement: statement.name,
        column: name,
        why: 'is returned twice: the last one hides the other',
      });
  for (const name of [...statement.nullable, ...statement.notNull])
    if (!described.fields.some((field) => field.name === name))
      problems.push({
        statement: statement.name,
        column: name,
        why: 'is listed, but the statement returns no such column',
      });
  for (const name of statement.nullableParams)
    if (!statement.paramNames.includes(name.replace('[]', '')))
      problems.push({
        statement: statement.name,
        column: `:${name}`,
        why: 'is listed, but the statement has no such parameter',
      });
  const shape = (lines) => (lines.length === 0 ? 'Record<never, never>' : `{\n${lines.join('\n')}\n  }`);
  const parts = Object.keys(statement.parts).map((part) => `'${part}'`);
  const kind = parts.length === 0 ? 'Statement<' : `Template<\n  ${parts.join(' | ')},`;
  return `export declare const ${statement.exportName}: ${kind}\n  ${shape(params)},\n  ${shape(columns)}\n>;\n`;
}

/**
 * The text of `page.sql.d.ts`, and the declarations in `page.sql` that contradict the server.
 * Undefined for a file without statements.
 */
export async function declarationsOf(client, catalog, path, importFrom) {
  const { statements } = readSql(path);
  if (statements.length === 0) return undefined;
  const problems = [];
  const declarations = [];
  for (const statement of statements)
    declarations.push(await declarationOf(client, catalog, statement, problems));
  const used = ['Statement', 'Template'].filter((name) =>
    declarations.some((text) => text.includes(`: ${name}<`)),
  );
  const text = [
    '// Generated from the answers of a server (npm run sql). Edit the .sql file instead.',
    `import type { ${used.join(', ')} } from '${importFrom}';`,
    '',
    ...declarations,
  ].join('\n');
  return { text, problems };
}
