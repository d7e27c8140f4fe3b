// Owns the consequences of registry changes that reshape groups: it refreshes owners and scopes, supersedes a
// group under its former owner by one under the new owner, and evaluates groups without a verdict.
import type { Transaction } from '../../db/index.js';
import { refreshInventory } from '../../inventory/group/index.js';
import {
  type DirtyGroup,
  evaluateGroups,
  markDirty,
  type Rules,
  supersedeOwners,
  type VerdictStamp,
} from '../../verdict/candidate/index.js';
import { cleanKeys, coveredKeys, rowlessKeys } from './reshape.sql.js';

const WITHHELD_REASON = 'withheld';
/** Links may have changed while no round compared the registries. */
const UNWATCHED_REASON = 'unwatched';

type Options = VerdictStamp & { readonly rules: Rules };

/** Returns the groups that are marked because their owner changed. */
export async function reshapeGroups(tx: Transaction, options: Options): Promise<readonly DirtyGroup[]> {
  await refreshInventory(tx, options.at);
  const moved = await supersedeOwners(tx, options);
  const rowless = await tx.run(rowlessKeys, { scopes: options.rules.scopes });
  const inventoryKeys = rowless.map((row) => row.inventory_key);
  if (inventoryKeys.length > 0) await evaluateGroups(tx, { ...options, cause: 'intake', inventoryKeys });
  return moved;
}

/**
 * Evaluates all groups that are not dirty in the current state, or marks them while evaluation is withheld.
 * Coverage that was evaluated before any round compared the registries is marked. From here on every change
 * is noticed.
 */
export async function beginFromNow(tx: Transaction, options: Options): Promise<void> {
  await refreshInventory(tx, options.at);
  const inventoryKeys = (await tx.run(cleanKeys, {})).map((row) => row.inventory_key);
  if (options.rules.withheld !== undefined) {
    await markDirty(tx, { reason: WITHHELD_REASON, at: options.at, where: { inventoryKeys } });
    return;
  }
  if (inventoryKeys.length > 0) await evaluateGroups(tx, { ...options, cause: 'intake', inventoryKeys });
  const covered = (await tx.run(coveredKeys, {})).map((row) => row.inventory_key);
  if (covered.length > 0)
    await markDirty(tx, { reason: UNWATCHED_REASON, at: options.at, where: { inventoryKeys: covered } });
}
