// Asks a server what the statements of a `.sql` file take and return, and writes that down as TypeScript: `page.sql.d.ts` beside
// `page.sql`. Nothing is run: Parse and Describe of the protocol work the same on every version.
//
// What may be NULL: a column of one of GCOS's own tables, as the table says; anything else (an expression, a column of the host or of a
// view, all of a statement with an outer join), as the file says: never, unless it is listed as `nullable`. Where an own table
// allows NULL, the file must say which it is.
import { readSql } from './sql.mjs';

/** A query object the driver's queue accepts: it stops before Bind and Execute. */
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

/** SQL type → what the driver's parsers of `src/db/value.ts` make of it. */
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
  if (element === undefined) throw new Error(`${where} has type ${type}, which nothing reads yet`);
  const list = nullElements ? `readonly (${element} | null)[]` : `readonly ${element}[]`;
  const one = type.endsWith('[]') ? list : element;
  return nullable ? `${one} | null` : one;
}

/** Names of types and columns that cannot be NULL, by the numbers that a description of a statement has. */
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
      why: 'is neither `nullable` nor `not null`',
    });
  if (plain !== false && statement.notNull.includes(field.name))
    problems.push({
      statement: statement.name,
      column: field.name,
      why: 'is `not null`, and nothing allows it to be NULL',
    });
  const type = catalog.types.get(field.dataTypeID);
  const nullable = listed && !proven;
  if (listed && proven)
    problems.push({
      statement: statement.name,
      column: field.name,
      why: 'is `nullable`, and its table says it is not',
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
        why: 'is there twice: the last one hides the other',
      });
  for (const name of [...statement.nullable, ...statement.notNull])
    if (!described.fields.some((field) => field.name === name))
      problems.push({
        statement: statement.name,
        column: name,
        why: 'is listed, and there is no such column',
      });
  for (const name of statement.nullableParams)
    if (!statement.paramNames.includes(name.replace('[]', '')))
      problems.push({
        statement: statement.name,
        column: `:${name}`,
        why: 'is listed, and there is no such parameter',
      });
  const shape = (lines) => (lines.length === 0 ? 'Record<never, never>' : `{\n${lines.join('\n')}\n  }`);
  const parts = Object.keys(statement.parts).map((part) => `'${part}'`);
  const kind = parts.length === 0 ? 'Statement<' : `Template<\n  ${parts.join(' | ')},`;
  return `export declare const ${statement.exportName}: ${kind}\n  ${shape(params)},\n  ${shape(columns)}\n>;\n`;
}

/** The text of `page.sql.d.ts`, and what `page.sql` says that is not so; undefined for a file without statements. */
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
