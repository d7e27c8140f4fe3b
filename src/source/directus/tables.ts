// Owns the tables of Directus that are read, and the columns of each: what a version does not have reads as
// NULL, or as no row. INVARIANT: no column with a secret is among them, and none is read that this login has
// no right to.
import { quoteIdentifier, quoteLiteral, type RowOf } from '../../db/index.js';
import { sourceErrors } from '../object/index.js';
import type { readTables } from './catalog.sql.js';

type Type = 'text' | 'boolean' | 'json';

interface TableForm {
  /** Which versions have the table; undefined: all. */
  readonly since?: string;
  readonly columns: Readonly<Record<string, Type>>;
  /** Columns that only some versions have. */
  readonly optional?: Readonly<Record<string, Type>>;
}

const TABLES = {
  collections: {
    columns: { collection: 'text', note: 'text', hidden: 'boolean', singleton: 'boolean' },
    optional: { accountability: 'text', group: 'text', versioning: 'boolean' },
  },
  fields: {
    columns: {
      id: 'text',
      collection: 'text',
      field: 'text',
      special: 'text',
      interface: 'text',
      note: 'text',
    },
    optional: { hidden: 'boolean', readonly: 'boolean', required: 'boolean', searchable: 'boolean' },
  },
  flows: {
    since: 'part of Directus from 9.12',
    columns: { id: 'text', name: 'text', description: 'text', status: 'text', trigger: 'text' },
    optional: { accountability: 'text' },
  },
  operations: {
    since: 'part of Directus from 9.12',
    columns: { id: 'text', name: 'text', key: 'text', type: 'text', options: 'json', flow: 'text' },
  },
  policies: {
    since: 'part of Directus from 11; before, roles hold permissions',
    columns: { id: 'text', name: 'text', description: 'text', ip_access: 'text' },
    optional: { enforce_tfa: 'boolean', admin_access: 'boolean', app_access: 'boolean' },
  },
  access: {
    since: 'part of Directus from 11; before, roles hold permissions',
    columns: { role: 'text', user: 'text', policy: 'text' },
  },
  roles: {
    columns: { id: 'text', name: 'text', description: 'text' },
    optional: {
      ip_access: 'text',
      enforce_tfa: 'boolean',
      admin_access: 'boolean',
      app_access: 'boolean',
      parent: 'text',
    },
  },
  permissions: {
    columns: { id: 'text', collection: 'text', action: 'text', permissions: 'json', fields: 'text' },
    optional: { role: 'text', policy: 'text' },
  },
  dashboards: {
    since: 'part of Directus from 9',
    columns: { id: 'text', name: 'text', note: 'text' },
  },
  webhooks: {
    since: 'part of Directus 9 and 10, and of the first versions of 11',
    columns: { id: 'text', name: 'text', method: 'text', url: 'text', status: 'text', collections: 'text' },
    optional: { actions: 'text', headers: 'json' },
  },
  extensions: {
    since: 'part of Directus from 10.7',
    columns: { enabled: 'boolean' },
    optional: { id: 'text', name: 'text', folder: 'text', source: 'text', bundle: 'text' },
  },
  migrations: { columns: { version: 'text' } },
} as const satisfies Readonly<Record<string, TableForm>>;

export type DirectusTable = keyof typeof TABLES;
type Parts = Readonly<Record<DirectusTable, string>>;

const NAMES = Object.keys(TABLES) as readonly DirectusTable[];
export const tableNames: readonly string[] = NAMES.map((name) => `directus_${name}`);
const formOf = (name: DirectusTable): TableForm => TABLES[name];
const allColumns = (form: TableForm) => Object.entries({ ...form.columns, ...form.optional });

/** A part of a statement that stands for a table which is not there. */
export const absentTable = (name: DirectusTable): string =>
  `(select ${allColumns(formOf(name))
    .map(([column, type]) => `null::${type} as ${quoteIdentifier(column)}`)
    .join(', ')} where false)`;

type Catalog = readonly RowOf<typeof readTables>[];

/** What a project does not have, and why. */
export interface NotRead {
  readonly part: string;
  readonly reason: string;
}

export interface ProjectTables {
  /** The tables as parts of statements. */
  readonly parts: Parts;
  readonly notRead: readonly NotRead[];
}

/** The columns to read of each table that is there. */
function wantedOf(catalog: Catalog, name: DirectusTable): Catalog {
  const known = new Set(allColumns(formOf(name)).map(([column]) => column));
  return catalog.filter((each) => each.table_name === `directus_${name}` && known.has(each.column_name));
}

/** The statements that give `login` the right to read exactly what is read. */
function grantsFor(schema: string, catalog: Catalog, mayUse: boolean): readonly string[] {
  const [first] = catalog;
  if (first === undefined) return [];
  const login = quoteIdentifier(first.login);
  const tables = NAMES.flatMap((name) => {
    const wanted = wantedOf(catalog, name);
    if (wanted.every((each) => each.may_read)) return [];
    const columns = wanted.map((each) => quoteIdentifier(each.column_name)).join(', ');
    return [`GRANT SELECT (${columns}) ON ${quoteIdentifier(schema)}.directus_${name} TO ${login};`];
  });
  return mayUse ? tables : [`GRANT USAGE ON SCHEMA ${quoteIdentifier(schema)} TO ${login};`, ...tables];
}

function requireReadable(schema: string, catalog: Catalog, mayUse: boolean): void {
  const grants = grantsFor(schema, catalog, mayUse);
  if (grants.length === 0) return;
  throw sourceErrors.source_unreadable(
    `this login may not read all of the Directus project in the schema \`${schema}\``,
    {
      help: `let its owner execute: ${grants.join(' ')} Or read its catalogs alone, with --kind postgres`,
      facts: { grants },
    },
  );
}

function requireColumns(catalog: Catalog): void {
  for (const name of NAMES) {
    const there = catalog.filter((each) => each.table_name === `directus_${name}`);
    const missing = Object.keys(formOf(name).columns).filter(
      (column) => there.length > 0 && !there.some((each) => each.column_name === column),
    );
    if (missing.length > 0)
      throw sourceErrors.source_invalid(
        `directus_${name} has no column ${missing.map((each) => `\`${each}\``).join(', ')}`,
        { help: 'GCOS knows the tables of Directus 9.12 to 11; --kind postgres reads any database' },
      );
  }
  const holders = wantedOf(catalog, 'permissions').filter(({ column_name: column }) =>
    ['role', 'policy'].includes(column),
  );
  if (holders.length === 0)
    throw sourceErrors.source_invalid('directus_permissions has neither a role nor a policy', {
      help: 'GCOS knows the tables of Directus 9.12 to 11; --kind postgres reads any database',
    });
}

/** The escape of U+0000 is sound in a json, and no text of PostgreSQL can hold it: it reads as U+FFFD. */
const NUL = quoteLiteral(String.raw`(?<!\\)((?:\\\\)*)\\u0000`);
const REPLACEMENT = quoteLiteral(String.raw`\1\\ufffd`);
const readable = (column: string): string => `regexp_replace(${column}::text, ${NUL}, ${REPLACEMENT}, 'g')`;

function partOf(schema: string, catalog: Catalog, name: DirectusTable): string {
  const there = new Set(wantedOf(catalog, name).map((each) => each.column_name));
  if (there.size === 0) return absentTable(name);
  const columns = allColumns(formOf(name)).map(([column, type]) => {
    const quoted = quoteIdentifier(column);
    const value = type === 'json' ? readable(`t.${quoted}`) : `t.${quoted}`;
    return `${there.has(column) ? value : 'null'}::${type} as ${quoted}`;
  });
  return `(select ${columns.join(', ')} from ${quoteIdentifier(schema)}.directus_${name} t)`;
}

/** The tables of the project in `schema`. Throws unless this login may read all of them. */
export function projectTables(schema: string, catalog: Catalog, mayUse: boolean): ProjectTables {
  requireColumns(catalog);
  requireReadable(schema, catalog, mayUse);
  const parts = Object.fromEntries(NAMES.map((name) => [name, partOf(schema, catalog, name)])) as Parts;
  const notRead = NAMES.flatMap((name) => {
    const { since } = formOf(name);
    if (wantedOf(catalog, name).length > 0) return [];
    return [{ part: `directus_${name}`, reason: `not in this version: ${since ?? 'every version has it'}` }];
  });
  return { parts, notRead };
}
