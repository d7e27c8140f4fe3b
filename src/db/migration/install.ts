// Owns installing GCOS's schema in one transaction, and the file with which a DBA installs it instead.
import type { Database } from '../database.js';
import { sqlstateOf } from '../errors.js';
import { quoteIdentifier } from '../quote.js';
import { searchPath, type Transaction } from '../transaction.js';
import { DDL, frameOf, READ_ONLY, type SchemaDefinition, stepsOf } from './definition.js';
import { schemaErrors } from './errors.js';
import { missingGrants, roleNames } from './grant.js';
import { readFacts } from './install.sql.js';
import type { Extension, Names } from './migration.js';
import { createRoleSql, limitFilesSql, OWNER_NAMES, ROLE_NAMES, type RoleName, roleOf } from './role.js';
import {
  absentGuard,
  exactGuard,
  hostSql,
  installSql,
  LOCK_SQL,
  psqlFile,
  uninstallSql,
  upgradeSql,
} from './script.js';
import { readSchemaState, refuseUnknown, type SchemaState } from './state.js';

export interface InstallOptions {
  /** Names of extensions to add. */
  readonly with?: readonly string[];
}

export interface InstallResult {
  /**
   * installed: by this call · adopted: a DBA applied the file · present: `gcos init` installed it earlier.
   */
  readonly outcome: 'installed' | 'adopted' | 'present';
  readonly state: SchemaState;
}

function chooseExtensions(
  definition: SchemaDefinition,
  wanted: readonly string[],
  tables: readonly string[],
): Extension[] {
  return [...new Set(wanted)].map((name) => {
    const extension = definition.extensions.find((candidate) => candidate.name === name);
    if (extension === undefined) {
      const known = definition.extensions.map((candidate) => candidate.name).join(', ');
      throw schemaErrors.extension_unknown(`there is no extension named \`${name}\``, {
        help: `choose among: ${known}`,
      });
    }
    const present = extension.tables.filter((table) => tables.includes(table));
    if (present.length > 0) {
      throw schemaErrors.extension_present(
        `the host already has \`${present.join('`, `')}\`, so \`${name}\` cannot be added`,
      );
    }
    return extension;
  });
}

/** Throws if a table with the name of a GCOS table exists before GCOS is installed. */
function refuseForeignTables(definition: SchemaDefinition, tables: readonly string[]): void {
  const own = definition.migrations.flatMap((migration) =>
    [...migration.up.matchAll(/^create table \{\{schema\}\}\.(\w+)/gm)].map((match) => match[1]),
  );
  const taken = own.filter((table) => table !== undefined && tables.includes(table));
  if (taken.length > 0) {
    throw schemaErrors.schema_foreign(
      `\`${taken.join('`, `')}\` exists, but GCOS is not installed here and did not create it`,
    );
  }
}

/** The tables of a host, if they are wanted. They are created before the rest of the plan is made. */
function hostAmong(definition: SchemaDefinition, wanted: readonly string[]): Extension | undefined {
  const host = definition.extensions.find((extension) => extension.isHost);
  return host !== undefined && wanted.includes(host.name) ? host : undefined;
}

/** Creates the tables of a host where they are wanted, and an earlier installation has not left them. */
async function createHost(
  tx: Transaction,
  definition: SchemaDefinition,
  wanted: readonly string[],
): Promise<string> {
  const host = hostAmong(definition, wanted);
  if (host === undefined) return '';
  const facts = await readInstallFacts(tx, definition);
  if (facts.is_home) return '';
  if (facts.tables.includes('gcos_migration'))
    throw schemaErrors.extension_present('GCOS is installed here beside a host, so it cannot create one');
  chooseExtensions(definition, wanted, facts.tables);
  requireRoles(facts, definition);
  const sql = hostSql(definition, host);
  await tx.script(sql);
  await tx.script(`set local search_path = ${searchPath(definition)}`);
  return sql;
}

const readInstallFacts = (tx: Transaction, definition: SchemaDefinition) =>
  tx.one(readFacts, {
    schema: definition.schema,
    trustSchema: definition.trustSchema,
    roles: roleNames(definition),
    sourceRole: roleOf(definition.rolePrefix, 'source'),
  });

async function planInstall(tx: Transaction, definition: SchemaDefinition, wanted: readonly string[]) {
  const facts = await readInstallFacts(tx, definition);
  const host = facts.is_home ? definition.extensions.find((each) => each.isHost) : undefined;
  if (!facts.tables.includes('gcos_migration')) refuseForeignTables(definition, facts.tables);
  return {
    facts,
    // A home has all tables. It exists by now; the installation notes that it does.
    extensions: host === undefined ? chooseExtensions(definition, wanted, facts.tables) : [host],
    grants: await missingGrants(tx, definition, await definition.hostGrants(tx)),
    seeds: await definition.seeds(tx),
  };
}

/**
 * `init` creates the roles and the schema of what carries trust if the login may; otherwise the error
 * contains the SQL that an operator must run.
 */
function requireRoles(
  facts: {
    may_create_roles: boolean;
    may_create_schema: boolean;
    missing_roles: readonly string[];
    login: string;
  },
  names: Names,
): void {
  const absent = ROLE_NAMES.filter((name) => facts.missing_roles.includes(roleOf(names.rolePrefix, name)));
  const missing = facts.may_create_roles ? [] : absent;
  if (missing.length === 0 && facts.may_create_schema) return;
  // The schema needs its owner, so an operator who creates it creates that role first.
  const created = ROLE_NAMES.filter(
    (name) => missing.includes(name) || (name === 'trust_owner' && absent.includes(name)),
  );
  const owners = OWNER_NAMES.filter((name) => created.includes(name) || missing.length > 0);
  const quoted = (name: RoleName): string => quoteIdentifier(roleOf(names.rolePrefix, name));
  const statements = [
    ...created.map((name) => createRoleSql(names.rolePrefix, name)),
    ...(owners.length === 0
      ? []
      : [`grant ${owners.map(quoted).join(', ')} to ${quoteIdentifier(facts.login)};`]),
    ...(facts.may_create_schema
      ? []
      : [`create schema ${quoteIdentifier(names.trustSchema)} authorization ${quoted('trust_owner')};`]),
    ...(created.includes('reader') ? [limitFilesSql(names.rolePrefix)] : []),
  ];
  throw schemaErrors.roles_missing(
    missing.length === 0
      ? `\`${facts.login}\` may not create the schema \`${names.trustSchema}\``
      : `\`${facts.login}\` may not create roles, and ${missing.length} are missing`,
    {
      help: ['have an operator run:', ...statements.flatMap((each) => each.split('\n'))],
      facts: { missing: facts.missing_roles },
    },
  );
}

/** What is installed and what is missing. Throws for a schema that init must not change. */
async function readInstallable(tx: Transaction, definition: SchemaDefinition, options: InstallOptions) {
  const state = await readSchemaState(tx, definition.schema, definition.migrations);
  refuseUnknown(state);
  if (state.status === 'older') {
    throw schemaErrors.schema_older(
      `the schema is at migration ${state.core.at(-1)?.id}; ${state.pending.length} more are pending`,
    );
  }
  // The tables of a host include those of every other extension.
  const host = hostAmong(definition, options.with ?? []);
  const wanted = host === undefined ? (options.with ?? []) : [host.name];
  const missing = wanted.filter((name) => !state.extensions.includes(name));
  return { state, missing, done: state.status === 'current' && missing.length === 0 };
}

/** Converts "already exists" errors: an object that GCOS did not create has a name that GCOS needs. */
function explainCollision(error: unknown): unknown {
  const state = sqlstateOf(error);
  if (state !== '42P07' && state !== '42723' && state !== '42710' && state !== '42P06') return error;
  return schemaErrors.schema_foreign((error as Error).message, { cause: error });
}

/** The state before an installation; throws what the login or another schema would make it fail with. */
export async function checkInstall(
  db: Database,
  definition: SchemaDefinition,
  options: InstallOptions = {},
): Promise<SchemaState['status']> {
  return db.transaction(READ_ONLY, async (tx) => {
    const { state, missing, done } = await readInstallable(tx, definition, options);
    if (done) return state.status;
    const facts = await readInstallFacts(tx, definition);
    if (hostAmong(definition, missing) && !facts.is_home) chooseExtensions(definition, missing, facts.tables);
    else await planInstall(tx, definition, missing);
    requireRoles(facts, definition);
    return state.status;
  });
}

/**
 * Installs the schema, or reports that it exists. Of two concurrent calls, the second finds the schema
 * installed.
 */
export async function installSchema(
  db: Database,
  definition: SchemaDefinition,
  options: InstallOptions = {},
): Promise<InstallResult> {
  const install = db.transaction(DDL, async (tx) => {
    await tx.script(LOCK_SQL);
    const { state, missing, done } = await readInstallable(tx, definition, options);
    if (done) {
      const byFile = state.core.every((row) => row.appliedWith === 'file');
      return { outcome: byFile ? ('adopted' as const) : ('present' as const), state };
    }
    await createHost(tx, definition, missing);
    const plan = await planInstall(tx, definition, missing);
    requireRoles(plan.facts, definition);
    const parts = { ...definition, ...plan, appliedWith: 'gcos' as const };
    await tx.script(state.status === 'absent' ? installSql(parts) : upgradeSql({ ...parts, migrations: [] }));
    await tx.script(`set local search_path = ${searchPath(definition)}`);
    return {
      outcome: 'installed' as const,
      state: await readSchemaState(tx, definition.schema, definition.migrations),
    };
  });
  return install.catch((error: unknown) => {
    throw explainCollision(error);
  });
}

export interface SchemaFiles {
  readonly forward: string;
  readonly reverse: string;
}

/**
 * The file that a DBA applies instead of `gcos init`, and its exact reverse; `names` are the names of the
 * files. Undefined if nothing is left to install. Writes nothing.
 */
export async function installFiles(
  db: Database,
  definition: SchemaDefinition,
  options: InstallOptions,
  names: SchemaFiles,
): Promise<SchemaFiles | undefined> {
  const write = async (tx: Transaction): Promise<SchemaFiles | undefined> => {
    const { state, missing, done } = await readInstallable(tx, definition, options);
    if (done) return undefined;
    const host = await createHost(tx, definition, missing);
    const plan = await planInstall(tx, definition, missing);
    const fresh = state.status === 'absent';
    const installed = definition.extensions.filter((extension) => state.extensions.includes(extension.name));
    const before = stepsOf(state.core, installed);
    const parts = { ...definition, ...plan, migrations: fresh ? definition.migrations : [] };
    const after = stepsOf(definition.migrations, [...installed, ...plan.extensions]);
    const forward = frameOf(definition, {
      title: 'Installs the GCOS schema',
      guard: fresh ? absentGuard(definition) : exactGuard(definition, before),
    });
    const reverse = frameOf(definition, {
      title: 'Removes what it installed of the GCOS schema',
      guard: exactGuard(definition, after),
    });
    return {
      forward: psqlFile(
        { ...forward, counterpart: names.reverse },
        [host, (fresh ? installSql : upgradeSql)({ ...parts, appliedWith: 'file' })]
          .filter((text) => text !== '')
          .join('\n\n'),
      ),
      reverse: psqlFile(
        { ...reverse, counterpart: names.forward, counterpartRole: 'forward' },
        uninstallSql({ ...parts, purges: [], dropRoles: fresh, dropHost: host !== '' }),
      ),
    };
  };
  // The privileges follow from the tables of a host: it is created, and the transaction rolled back.
  return hostAmong(definition, options.with ?? []) === undefined
    ? db.transaction(READ_ONLY, write)
    : db.rehearse(DDL, write);
}
