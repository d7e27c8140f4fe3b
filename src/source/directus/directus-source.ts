// Owns reading a Directus project through its database, without a token. INVARIANT: it writes nothing: one
// read-only, repeatable-read transaction, with a limit on every statement and every wait for a lock.
import { Database, fillParts, type Statement, type Template, type Transaction } from '../../db/index.js';
import { type SourceObject, type SourceReader, sourceErrors } from '../object/index.js';
import {
  COMMENT_LINKS,
  PERSONAL_PATTERNS,
  type PersonalPatterns,
  type PostgresSourceOptions,
} from '../postgres/index.js';
import { findProjects, readTables } from './catalog.sql.js';
import {
  readCollections,
  readDashboards,
  readExtensions,
  readFields,
  readFlows,
  readOperations,
  readPermissions,
  readPolicies,
  readProject,
  readRoles,
  readWebhooks,
} from './project.sql.js';
import { type ProjectRow, projectObject } from './project-object.js';
import { type DirectusTable, type NotRead, projectTables, tableNames } from './tables.js';

const CLASSES = [
  'directus_project',
  'directus_role',
  'directus_policy',
  'directus_folder',
  'directus_collection',
  'directus_field',
  'directus_personal_field',
  'directus_permission',
  'directus_public_permission',
  'directus_flow',
  'directus_code_flow',
  'directus_operation',
  'directus_dashboard',
  'directus_webhook',
  'directus_extension',
];

/** In this order, the parent of an object comes before it. */
const TEMPLATES = [
  readProject,
  readRoles,
  readPolicies,
  readCollections,
  readFields,
  readPermissions,
  readFlows,
  readOperations,
  readDashboards,
  readWebhooks,
  readExtensions,
] as const;

type Reading = Template<DirectusTable, { readonly schema: string }, ProjectRow>;

interface Project {
  readonly schema: string;
  readonly statements: readonly Statement<{ readonly schema: string }, ProjectRow>[];
  readonly notRead: readonly NotRead[];
}

const ELSE =
  'it may lie in a schema that this login cannot see; `--kind postgres` reads the catalogs of any database';

/** The one project in this database. Throws unless there is one, and this login may read all of it. */
async function findProject(tx: Transaction): Promise<Project> {
  const found = await tx.run(findProjects, {});
  const usable = found.filter((each) => each.may_use);
  const [project, ...others] = usable.length > 0 ? usable : found;
  if (project === undefined)
    throw sourceErrors.source_invalid('this database holds no Directus project: no schema has its tables', {
      help: ELSE,
    });
  const { schema, may_use: mayUse } = project;
  if (others.length > 0)
    throw sourceErrors.source_invalid(
      `this database holds several Directus projects: in the schemas ${[project, ...others].map((each) => `\`${each.schema}\``).join(', ')}`,
      { help: 'read it with a login that has USAGE on one of these schemas only' },
    );
  const catalog = await tx.run(readTables, { schema, tables: tableNames });
  const { parts, notRead } = projectTables(schema, catalog, mayUse);
  const statements = TEMPLATES.map((each) => fillParts(each as Reading, parts));
  return { schema, statements, notRead };
}

async function* objects(tx: Transaction, patterns: PersonalPatterns): AsyncGenerator<SourceObject> {
  const { schema, statements, notRead } = await findProject(tx);
  for (const statement of statements)
    for await (const row of tx.stream(statement, { schema })) {
      const object = projectObject(row, patterns);
      yield object.class === 'directus_project'
        ? { ...object, attributes: { ...object.attributes, not_read: notRead } }
        : object;
    }
}

function connect(options: PostgresSourceOptions): Database {
  return new Database({
    target: options.target,
    ...(options.tls === undefined ? {} : { tls: options.tls }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
    // The search path: names of the estate stand in for nothing.
    schema: 'pg_catalog',
    trustSchema: 'pg_catalog',
    statementTimeoutMs: options.statementTimeoutMs,
    lockTimeoutMs: 5_000,
    connectTimeoutMs: options.connectTimeoutMs,
    poolSize: 1,
  });
}

/** Whether the database at `target` holds a Directus project, readable by this login or not. */
export async function hasDirectusProject(options: PostgresSourceOptions): Promise<boolean> {
  const db = connect(options);
  try {
    const found = await db.transaction({ isolation: 'repeatable read', readOnly: true }, (tx) =>
      tx.run(findProjects, {}),
    );
    return found.length > 0;
  } finally {
    await db.close();
  }
}

/** The reader of the project in the database at `target`, on a connection of its own. */
export function openDirectusSource(options: PostgresSourceOptions): SourceReader {
  const { personal = PERSONAL_PATTERNS, idleTimeoutMs = 120_000 } = options;
  const db = connect(options);
  return {
    describe: () => ({ classes: CLASSES, links: COMMENT_LINKS }),
    read: () => db.stream({ isolation: 'repeatable read', idleTimeoutMs }, (tx) => objects(tx, personal)),
    close: () => db.close(),
  };
}
