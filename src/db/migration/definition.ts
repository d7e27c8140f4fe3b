// Owns the definition of GCOS's schema in one database, assembled from the declarations of all modules.
import type { Transaction } from '../transaction.js';
import type { HostGrants } from './grant.js';
import type { Extension, Migration, Names } from './migration.js';
import type { FileFrame } from './script.js';

export interface SchemaDefinition extends Names {
  /** The version of GCOS, for the files that a DBA reads. */
  readonly version: string;
  readonly migrations: readonly Migration[];
  readonly extensions: readonly Extension[];
  /** The privileges that GCOS needs on the relations that the host currently has. */
  readonly hostGrants: (tx: Transaction) => Promise<HostGrants>;
  /** SQL that inserts the rows GCOS needs. Runs as the owner role after the migrations; safe to repeat. */
  readonly seeds: (tx: Transaction) => Promise<readonly string[]>;
  /** The tables that `seeds` fill, as templates. */
  readonly seeded: readonly string[];
  /** SQL that deletes the rows that GCOS wrote into host tables. Only `uninstall --purge` runs it. */
  readonly purges: (tx: Transaction) => Promise<readonly string[]>;
}

/** The header data of a file for a DBA. The caller adds `counterpart` if there is one. */
export function frameOf(definition: SchemaDefinition, own: Pick<FileFrame, 'title' | 'guard'>): FileFrame {
  return {
    version: definition.version,
    schema: definition.schema,
    counterpart: undefined,
    counterpartRole: 'reverse',
    ...own,
  };
}

/**
 * Options of every transaction that changes the schema. It retries because other databases share the roles.
 */
export const DDL = { isolation: 'read committed', statementTimeoutMs: 60_000, retries: 3 } as const;
export const READ_ONLY = { isolation: 'repeatable read', readOnly: true } as const;

/** The steps of a schema in the form that the guard of a file compares: `core 1`, `with 3`. */
export function stepsOf(core: readonly { id: number }[], extensions: readonly { id: number }[]): string[] {
  const ordered = (items: readonly { id: number }[], kind: string) =>
    items
      .map((item) => item.id)
      .sort((left, right) => left - right)
      .map((id) => `${kind} ${id}`);
  return [...ordered(core, 'core'), ...ordered(extensions, 'with')];
}
