// Owns how a module describes itself: what it adds to the schema, to the rows of the host and to the errors of the product is said once, in
// the module, and read by `init`, `upgrade`, `uninstall` and the reference pages.
import type { ErrorKinds } from '../kernel/index.js';
import type { Migration } from './migration/migration.js';
import type { Transaction } from './transaction.js';

/** SQL that depends on nothing, or on what the host has. */
type Scripts = readonly string[] | ((tx: Transaction, schema: string) => Promise<readonly string[]>);

export interface Module {
  readonly name: string;
  readonly errors?: readonly { readonly kinds: ErrorKinds }[];
  readonly migration?: Migration;
  /** Makes sure that the rows the module needs are there; run as the owner role after the migrations, and safe to repeat. */
  readonly seeds?: Scripts;
  /** Deletes the rows the module wrote into host tables; run by `uninstall --purge` only. */
  readonly purges?: Scripts;
}

export function defineModule(module: Module): Module {
  return module;
}

/** The scripts of one kind of all `modules`, in their order. */
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
