// Owns the declaration of a module: its migration, its rows in host tables and its errors. Each module
// declares these once; `init`, `upgrade`, `uninstall` and the reference pages read the declaration.
import type { ErrorKinds } from '../kernel/index.js';
import type { Migration } from './migration/migration.js';
import type { Setting } from './setting.js';
import type { Transaction } from './transaction.js';

/** Fixed SQL scripts, or scripts generated from the state of the host. */
type Scripts = readonly string[] | ((tx: Transaction, schema: string) => Promise<readonly string[]>);

export interface Module {
  readonly name: string;
  readonly errors?: readonly { readonly kinds: ErrorKinds }[];
  readonly migration?: Migration;
  /** The settings that the module owns; a new installation has a row for each. */
  readonly settings?: readonly Setting[];
  /** Inserts the rows that the module needs. Runs as the owner role after the migrations; safe to repeat. */
  readonly seeds?: Scripts;
  /** The tables that the seeds fill, as templates: `gcos upgrade` reports which of them changed. */
  readonly seeded?: readonly string[];
  /** Deletes the rows that the module wrote into host tables. Only `uninstall --purge` runs it. */
  readonly purges?: Scripts;
}

export function defineModule(module: Module): Module {
  return module;
}

/** The scripts of one kind from all `modules`, in module order. */
export async function scriptsOf(
  modules: readonly Module[],
  kind: 'seeds' | 'purges',
  tx: Transaction,
  schema: string,
): Promise<readonly string[]> {
  const scripts: string[] = [];
  for (const { [kind]: found = [] } of modules)
    scripts.push(...(typeof found === 'function' ? await found(tx, schema) : found));
  return scripts;
}
