// Owns what the rooms hand to this room: everything that makes up GCOS's schema in one database.
import type { Transaction } from '../transaction.js';
import type { Extension, Migration, Names } from './migration.js';
import { ROLE_NAMES, roleOf } from './role.js';
import type { FileFrame } from './script.js';

export interface SchemaDefinition extends Names {
  /** Of GCOS, for the files a DBA reads. */
  readonly version: string;
  readonly migrations: readonly Migration[];
  readonly extensions: readonly Extension[];
  /** The relations of the host, among those that exist, which GCOS reads. */
  readonly hostTables: (tx: Transaction) => Promise<readonly string[]>;
}

export const roleNames = (names: Names): string[] => ROLE_NAMES.map((name) => roleOf(names.rolePrefix, name));

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
