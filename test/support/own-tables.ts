// Reads GCOS's own tables: how many rows each has, which columns a row fills, and which of the values that a
// CHECK constraint enumerates occur. For the test that nothing is declared that the product does not write,
// and to run beside an installation: `describeOwnTables(url)`.
import pg from 'pg';

interface OwnColumn {
  readonly name: string;
  /** In how many rows it is not null. */
  readonly filled: number;
  /** Whether it is never null, in a table with rows. */
  readonly neverNull: boolean;
  /** In how many rows it is not its constant default; null: it has none. */
  readonly notDefault: number | null;
  /** For an enumerated column and for a boolean: every value that may occur, with its number of rows. */
  readonly values: Readonly<Record<string, number>> | null;
}

interface OwnTable {
  readonly table: string;
  readonly rows: number;
  readonly neverNull: readonly string[];
  readonly columns: readonly OwnColumn[];
}

interface Declared {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  /** The default, if it is a constant. */
  readonly constant: string | null;
}

const COLUMNS = `
  select c.relname as "table", a.attname as "column", format_type(a.atttypid, a.atttypmod) as type,
    case when a.attgenerated = '' and pg_get_expr(d.adbin, d.adrelid) !~ '[a-z_]+\\(|SESSION_USER|CURRENT' then pg_get_expr(d.adbin, d.adrelid) end as constant
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  where c.relkind = 'r' and pg_get_userbyid(c.relowner) in ('gcos_owner', 'gcos_trust_owner')
  order by c.relname, a.attnum`;

const CHECKS = `
  select c.relname as "table", pg_get_constraintdef(k.oid) as definition
  from pg_constraint k
  join pg_class c on c.oid = k.conrelid
  where k.contype = 'c' and c.relkind = 'r' and pg_get_userbyid(c.relowner) in ('gcos_owner', 'gcos_trust_owner')`;

/** The values that a CHECK constraint lists, by column: `in (…)`, `<@ array[…]`, and small ranges. */
function valuesIn(definition: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  const list = /\(?(\w+)\)? (?:= ANY|<@) \(?ARRAY\[([^\]]*)\]/g;
  for (const [, column = '', values = ''] of definition.matchAll(list))
    found.set(
      column,
      [...values.matchAll(/'([^']*)'|(-?\d+)/g)].map(([, text, number]) => text ?? number ?? ''),
    );
  const range = /\((\w+) >= (\d+)\) AND \(\1 <= (\d+)\)/g;
  for (const [, column = '', from = '', to = ''] of definition.matchAll(range)) {
    const count = Number(to) - Number(from) + 1;
    if (count <= 10)
      found.set(
        column,
        Array.from({ length: count }, (_, n) => String(Number(from) + n)),
      );
  }
  return found;
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Describes a table with one statement: looking on is done often, and beside what is looked at. */
async function describeTable(
  client: pg.Client,
  table: string,
  columns: readonly Declared[],
  enumerated: ReadonlyMap<string, readonly string[]>,
): Promise<OwnTable> {
  const declaredOf = ({ column, type }: Declared): readonly string[] | null =>
    enumerated.get(column) ?? (type === 'boolean' ? ['true', 'false'] : null);
  const counts = columns.flatMap((each, n) => {
    const name = quoted(each.column);
    const other =
      each.constant === null
        ? 'null::bigint'
        : `count(*) filter (where ${name} is distinct from ${each.constant})`;
    const values = (declaredOf(each) ?? []).map((value, v) => {
      const has = each.type.endsWith('[]') ? `= any (${name}::text[])` : `= ${name}::text`;
      return `count(*) filter (where ${literal(value)} ${has}) as v${n}_${v}`;
    });
    return [`count(${name}) as f${n}`, `${other} as d${n}`, ...values];
  });
  const { rows } = await client.query<Record<string, string | null>>(
    `select count(*) as rows, ${counts.join(', ')} from ${quoted(table)}`,
  );
  const found = rows[0] ?? {};
  const total = Number(found['rows']);
  const described = columns.map((each, n): OwnColumn => {
    const filled = Number(found[`f${n}`]);
    const other = found[`d${n}`] ?? null;
    const values = declaredOf(each)?.map((value, v) => [value, Number(found[`v${n}_${v}`])] as const);
    return {
      name: each.column,
      filled,
      neverNull: total > 0 && filled === total,
      notDefault: other === null ? null : Number(other),
      values: values === undefined ? null : Object.fromEntries(values),
    };
  });
  return {
    table,
    rows: total,
    neverNull: described.filter((each) => each.neverNull).map((each) => each.name),
    columns: described,
  };
}

async function describeTables(
  client: pg.Client,
  only: readonly string[] | undefined,
): Promise<readonly OwnTable[]> {
  const columns = (await client.query<Declared>(COLUMNS)).rows;
  const checks = (await client.query<{ table: string; definition: string }>(CHECKS)).rows;
  const tables: OwnTable[] = [];
  for (const table of new Set(columns.map((each) => each.table))) {
    if (only?.includes(table) === false) continue;
    const enumerated = new Map<string, readonly string[]>();
    for (const { definition } of checks.filter((each) => each.table === table))
      for (const [column, values] of valuesIn(definition))
        enumerated.set(column, [...new Set([...(enumerated.get(column) ?? []), ...values])]);
    const own = columns.filter((each) => each.table === table);
    tables.push(await describeTable(client, table, own, enumerated));
  }
  return tables;
}

/** Every table of GCOS in the database at `url`: rows, columns that are never null, and values that occur. */
export async function describeOwnTables(url: string, only?: readonly string[]): Promise<readonly OwnTable[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    return await describeTables(client, only);
  } finally {
    await client.end();
  }
}

/** What was seen at any of several moments: rows that the product deletes again count, too. */
export class Seen {
  readonly #missing = new Map<string, boolean>();

  /** Looks at all tables, or at some: as committed, or as the transaction of a client sees them. */
  async look(where: string | pg.Client, only?: readonly string[]): Promise<void> {
    const tables = await (typeof where === 'string'
      ? describeOwnTables(where, only)
      : describeTables(where, only));
    const note = (what: string, isThere: boolean) =>
      this.#missing.set(what, (this.#missing.get(what) ?? true) && !isThere);
    for (const { table, rows, columns } of tables) {
      note(table, rows > 0);
      for (const { name, filled, notDefault, values } of columns) {
        note(`${table}.${name}`, filled > 0);
        if (values !== null)
          for (const [value, count] of Object.entries(values)) note(`${table}.${name} = ${value}`, count > 0);
        else if (notDefault !== null) note(`${table}.${name} other than its default`, notDefault > 0);
      }
    }
  }

  /** What no moment had, by name: a table, a column or a value. */
  get missing(): readonly string[] {
    return [...this.#missing]
      .filter(([, missing]) => missing)
      .map(([what]) => what)
      .sort();
  }

  get size(): number {
    return this.#missing.size;
  }
}
