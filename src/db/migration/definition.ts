// Owns what the rooms hand to this room: everything that makes up GCOS's schema in one database.
import type { Transaction } from '../transaction.js';
import type { HostGrants } from './grant.js';
import type { Extension, Migration, Names } from './migration.js';
import type { FileFrame } from './script.js';

export interface SchemaDefinition extends Names {
  /** Of GCOS, for the files a DBA reads. */
  readonly version: string;
  readonly migrations: readonly Migration[];
  readonly extensions: readonly Extension[];
  /** What GCOS may do with the relations of the host that exist now. */
  readonly hostGrants: (tx: Transaction) => Promise<HostGrants>;
  /** SQL that makes sure the rows GCOS needs are there, run as the owner role after the migrations. Safe to repeat. */
  readonly seeds: (tx: Transaction) => Promise<readonly string[]>;
  /** SQL that deletes the rows GCOS wrote into host tables; run by `uninstall --purge` only. */
  readonly purges: (tx: Transaction) => Promise<readonly string[]>;
}

/** What every file says about itself; `counterpart` only where there is one. */
export function frameOf(definition: SchemaDefinition, own: Pick<FileFrame, 'title' | 'guard'>): FileFrame {
  return {
    version: definition.version,
    schema: definition.schema,
    counterpart: undefined,
    counterpartRole: 'reverse',
    ...own,
  };
}

/** Options of every transaction that changes the schema; roles are shared by databases, so others may interfere. */
export const DDL = { isolation: 'read committed', statementTimeoutMs: 60_000, retries: 3 } as const;
export const LOOK = { isolation: 'repeatable read', readOnly: true } as const;

/** The steps of a schema as its guard knows them: `core 1`, `with 3`. */
export function stepsOf(core: readonly { id: number }[], extensions: readonly { id: number }[]): string[] {
  const ordered = (items: readonly { id: number }[], kind: string) =>
    items
      .map((item) => item.id)
      .sort((left, right) => left - right)
      .map((id) => `${kind} ${id}`);
  return [...ordered(core, 'core'), ...ordered(extensions, 'with')];
}
