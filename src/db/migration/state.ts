// Owns the state of the installed schema, and whether this code may work with it.
import type { Transaction } from '../transaction.js';
import { schemaErrors } from './errors.js';
import { checksumOf, type Migration } from './migration.js';
import { readShape, readState } from './state.sql.js';

export interface AppliedMigration {
  readonly id: number;
  readonly name: string;
  readonly checksum: string;
  readonly appliedAt: string;
  readonly appliedBy: string;
  /** `gcos` when the command applied it, `file` when a DBA did. */
  readonly appliedWith: string;
}

export interface SchemaState {
  /**
   * absent: not installed · older: migrations pending · current · newer: created by later code · altered:
   * checksum differs.
   */
  readonly status: 'absent' | 'older' | 'current' | 'newer' | 'altered';
  readonly core: readonly AppliedMigration[];
  /** Names of the extensions installed with `--with`. */
  readonly extensions: readonly string[];
  readonly pending: readonly Migration[];
}

function compare(core: readonly AppliedMigration[], known: readonly Migration[]): SchemaState['status'] {
  const byId = new Map(known.map((migration) => [migration.id, migration]));
  if (core.some((applied) => !byId.has(applied.id))) return 'newer';
  for (const applied of core) {
    const migration = byId.get(applied.id);
    if (migration !== undefined && checksumOf(migration) !== applied.checksum) return 'altered';
  }
  return core.length < known.length ? 'older' : 'current';
}

/** Compares the database with the migrations that this code knows. */
export async function readSchemaState(
  tx: Transaction,
  schema: string,
  known: readonly Migration[],
): Promise<SchemaState> {
  const shape = await tx.one(readShape, { schema });
  if (!shape.present) return { status: 'absent', core: [], extensions: [], pending: known };
  if (!shape.own_shape) throw schemaErrors.schema_foreign(`\`${schema}.gcos_migration\` is not GCOS's table`);
  const rows = await tx.run(readState, {});
  const core = rows
    .filter((row) => row.kind === 'core')
    .map((row) => ({
      id: row.id,
      name: row.name,
      checksum: row.checksum,
      appliedAt: row.applied_at,
      appliedBy: row.applied_by,
      appliedWith: row.applied_with,
    }));
  const applied = new Set(core.map((row) => row.id));
  return {
    status: compare(core, known),
    core,
    extensions: rows.filter((row) => row.kind === 'with').map((row) => row.name),
    pending: known.filter((migration) => !applied.has(migration.id)),
  };
}

/**
 * Throws unless this code may work with the schema. Every command except init and uninstall calls it first.
 */
export function requireCurrent(state: SchemaState, schema: string): void {
  const newest = state.core.at(-1);
  switch (state.status) {
    case 'current':
      return;
    case 'absent':
      throw schemaErrors.schema_not_installed(`schema \`${schema}\` is not a GCOS schema`);
    case 'older':
      throw schemaErrors.schema_older(
        `the schema is at migration ${newest?.id}, this code needs ${state.pending.at(-1)?.id}`,
      );
    default:
      refuseUnknown(state);
  }
}

/** Throws if later or different code created the schema: GCOS must not change it. */
export function refuseUnknown(state: SchemaState): void {
  const newest = state.core.at(-1);
  if (state.status === 'newer') {
    throw schemaErrors.schema_newer(
      `the schema is at migration ${newest?.id} (\`${newest?.name}\`), which this code does not know`,
    );
  }
  if (state.status === 'altered') {
    throw schemaErrors.schema_altered('a recorded migration has a checksum this code does not know');
  }
}
