// Owns upgrading an older schema in one transaction, and the file with which a DBA upgrades it instead.
import { z } from 'zod';
import type { Database } from '../database.js';
import type { Transaction } from '../transaction.js';
import { DDL, frameOf, READ_ONLY, type SchemaDefinition, stepsOf } from './definition.js';
import { schemaErrors } from './errors.js';
import { type Grant, missingGrants } from './grant.js';
import type { Migration } from './migration.js';
import { exactGuard, LOCK_SQL, psqlFile, upgradeSql } from './script.js';
import { readSchemaState, refuseUnknown, type SchemaState } from './state.js';
import { readNotedRows } from './state.sql.js';

/** The state of the installed schema. Throws if it is not installed or this code does not know it. */
export async function requireKnown(tx: Transaction, definition: SchemaDefinition): Promise<SchemaState> {
  const state = await readSchemaState(tx, definition.schema, definition.migrations);
  refuseUnknown(state);
  if (state.status === 'absent')
    throw schemaErrors.schema_not_installed(`schema \`${definition.schema}\` is not a GCOS schema`);
  return state;
}

/** What `gcos upgrade` changed. Nothing, if every list is empty. */
export interface UpgradeResult {
  readonly applied: readonly Migration[];
  /** Privileges that the roles of GCOS lacked on the host; relation '' is the schema itself. */
  readonly granted: readonly Grant[];
  /** Tables with rows that follow from the host, such as the words it allows; `before` is null if new. */
  readonly rows: readonly {
    readonly table: string;
    readonly before: number | null;
    readonly after: number;
  }[];
}

const noted = z.record(z.string(), z.object({ rows: z.number(), digest: z.string() }));

async function readRows(tx: Transaction): Promise<UpgradeResult['rows']> {
  const found = await tx.one(readNotedRows, {});
  const [before, after] = [noted.parse(JSON.parse(found.before)), noted.parse(JSON.parse(found.after))];
  return Object.entries(after)
    .filter(([table, { digest }]) => before[table]?.digest !== digest)
    .map(([table, { rows }]) => ({ table, before: before[table]?.rows ?? null, after: rows }));
}

async function planUpgrade(tx: Transaction, definition: SchemaDefinition) {
  const grants = await missingGrants(tx, definition, await definition.hostGrants(tx));
  const seeds = await definition.seeds(tx);
  return { ...definition, extensions: [], grants, seeds };
}

/** Applies the pending migrations and grants the missing privileges on host tables that were added since. */
export async function upgradeSchema(db: Database, definition: SchemaDefinition): Promise<UpgradeResult> {
  return db.transaction(DDL, async (tx) => {
    await tx.script(LOCK_SQL);
    const { pending } = await requireKnown(tx, definition);
    const plan = await planUpgrade(tx, definition);
    await tx.script(
      upgradeSql({ ...plan, migrations: pending, noted: definition.seeded, appliedWith: 'gcos' }),
    );
    return { applied: pending, granted: plan.grants, rows: await readRows(tx) };
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
      upgradeSql({
        ...(await planUpgrade(tx, definition)),
        migrations: pending,
        appliedWith: 'file',
      }),
    );
  });
}
