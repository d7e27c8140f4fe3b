// Owns removing GCOS's schema. Afterwards the host's objects, rows and privileges are as before the
// installation; rows that GCOS wrote into host tables stay unless the operator purges them.
import type { Database } from '../database.js';
import { sqlstateOf } from '../errors.js';
import { quoteIdentifier, quoteLiteral } from '../quote.js';
import { statement } from '../statement.js';
import type { Transaction } from '../transaction.js';
import { DDL, frameOf, READ_ONLY, type SchemaDefinition, stepsOf } from './definition.js';
import { schemaErrors } from './errors.js';
import { readGrants } from './grant.sql.js';
import type { Extension } from './migration.js';
import { exactGuard, LOCK_SQL, psqlFile, uninstallSql } from './script.js';
import { requireKnown } from './upgrade.js';

export interface UninstallOptions {
  /** Also drop tables added with `--with` that hold rows. */
  readonly dropRows?: boolean;
  /** Also delete the rows GCOS wrote into host tables; otherwise they stay as history. */
  readonly purge?: boolean;
}

async function planUninstall(tx: Transaction, definition: SchemaDefinition, options: UninstallOptions) {
  const state = await requireKnown(tx, definition);
  const ids = state.core.map((row) => row.id);
  const extensions = definition.extensions.filter((extension) => state.extensions.includes(extension.name));
  const grants = await tx.run(readGrants, { schema: definition.schema });
  const body = uninstallSql({
    ...definition,
    migrations: definition.migrations.filter((migration) => ids.includes(migration.id)),
    extensions,
    grants,
    dropRoles: true,
    dropHost: options.purge === true,
    purges: options.purge ? await definition.purges(tx) : [],
  });
  return { steps: stepsOf(state.core, extensions), extensions, body };
}

/**
 * Tables added with `--with` may hold rows that users wrote. Dropping these rows takes an explicit option.
 */
async function refuseLosingRows(tx: Transaction, extensions: readonly Extension[]): Promise<void> {
  const tables = extensions.flatMap((extension) => extension.tables);
  if (tables.length === 0) return;
  // The table names are known only at run time, so the statement is built here.
  const filled = statement<Record<never, never>, { readonly relation: string }>({
    name: 'migration.filledTables',
    sql: tables
      .map(
        (table) =>
          `select ${quoteLiteral(table)}::text as relation where exists (select from ${quoteIdentifier(table)})`,
      )
      .join(' union all '),
  });
  const rows = await tx.run(filled, {});
  if (rows.length === 0) return;
  throw schemaErrors.uninstall_would_lose_rows(
    `\`${rows.map((row) => row.relation).join('`, `')}\` hold rows`,
  );
}

/** Removes GCOS's schema in one transaction. */
export async function uninstallSchema(
  db: Database,
  definition: SchemaDefinition,
  options: UninstallOptions = {},
): Promise<void> {
  try {
    await db.transaction(DDL, async (tx) => {
      await tx.script(LOCK_SQL);
      const plan = await planUninstall(tx, definition, options);
      const added = plan.extensions.filter((extension) => !extension.isHost);
      if (!options.dropRows) await refuseLosingRows(tx, added);
      await tx.script(plan.body);
    });
  } catch (error) {
    if (sqlstateOf(error) !== '2BP01') throw error;
    throw schemaErrors.uninstall_blocked((error as Error).message, { cause: error });
  }
}

/** The file that does what `gcos uninstall` would do. */
export async function uninstallFile(
  db: Database,
  definition: SchemaDefinition,
  options: UninstallOptions = {},
): Promise<string> {
  return db.transaction(READ_ONLY, async (tx) => {
    const { steps, body } = await planUninstall(tx, definition, options);
    return psqlFile(
      frameOf(definition, { title: 'Removes the GCOS schema', guard: exactGuard(definition, steps) }),
      body,
    );
  });
}
