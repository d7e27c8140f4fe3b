// Owns upgrading an older schema in one transaction, and the file with which a DBA upgrades it instead.
import type { Database } from '../database.js';
import type { Transaction } from '../transaction.js';
import { DDL, frameOf, READ_ONLY, type SchemaDefinition, stepsOf } from './definition.js';
import { schemaErrors } from './errors.js';
import { missingGrants } from './grant.js';
import type { Migration } from './migration.js';
import { exactGuard, LOCK_SQL, psqlFile, upgradeSql } from './script.js';
import { readSchemaState, refuseUnknown, type SchemaState } from './state.js';

/** The state of the installed schema. Throws if it is not installed or this code does not know it. */
export async function requireKnown(tx: Transaction, definition: SchemaDefinition): Promise<SchemaState> {
  const state = await readSchemaState(tx, definition.schema, definition.migrations);
  refuseUnknown(state);
  if (state.status === 'absent')
    throw schemaErrors.schema_not_installed(`schema \`${definition.schema}\` is not a GCOS schema`);
  return state;
}

async function upgradeScript(
  tx: Transaction,
  definition: SchemaDefinition,
  pending: readonly Migration[],
  appliedWith: 'gcos' | 'file',
): Promise<string> {
  const grants = await missingGrants(tx, definition, await definition.hostGrants(tx));
  const seeds = await definition.seeds(tx);
  return upgradeSql({ ...definition, migrations: pending, extensions: [], grants, seeds, appliedWith });
}

/** Applies the pending migrations and grants the missing privileges on host tables that were added since. */
export async function upgradeSchema(
  db: Database,
  definition: SchemaDefinition,
): Promise<readonly Migration[]> {
  return db.transaction(DDL, async (tx) => {
    await tx.script(LOCK_SQL);
    const { pending } = await requireKnown(tx, definition);
    await tx.script(await upgradeScript(tx, definition, pending, 'gcos'));
    return pending;
  });
}

/** The file that does the same as `gcos upgrade`. */
export async function upgradeFile(db: Database, definition: SchemaDefinition): Promise<string> {
  return db.transaction(READ_ONLY, async (tx) => {
    const { pending, core, extensions } = await requireKnown(tx, definition);
    const added = definition.extensions.filter((extension) => extensions.includes(extension.name));
    return psqlFile(
      frameOf(definition, {
        title: 'Upgrades the GCOS schema',
        guard: exactGuard(definition, stepsOf(core, added)),
      }),
      await upgradeScript(tx, definition, pending, 'file'),
    );
  });
}
