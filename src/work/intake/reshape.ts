// Owns what follows when registries change the groups themselves: owners and scopes are brought up to date, a group under a former
// owner gives way to one under the new, and a group without a verdict gets one.
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
import { cleanKeys, rowlessKeys } from './reshape.sql.js';

const WITHHELD_REASON = 'withheld';

type Options = VerdictStamp & { readonly rules: Rules };

/** Returns the groups that are marked because their owner is another one now. */
export async function reshapeGroups(tx: Transaction, options: Options): Promise<readonly DirtyGroup[]> {
  await refreshInventory(tx, options.at);
  const moved = await supersedeOwners(tx, options);
  const rowless = await tx.run(rowlessKeys, { scopes: options.rules.scopes });
  const inventoryKeys = rowless.map((row) => row.inventory_key);
  if (inventoryKeys.length > 0) await evaluateGroups(tx, { ...options, cause: 'intake', inventoryKeys });
  return moved;
}

/** What nobody marked is decided as things are now, or marked where nobody may: from here on every change is noticed. */
export async function beginFromNow(tx: Transaction, options: Options): Promise<void> {
  await refreshInventory(tx, options.at);
  const inventoryKeys = (await tx.run(cleanKeys, {})).map((row) => row.inventory_key);
  if (options.rules.withheld !== undefined) {
    await markDirty(tx, { reason: WITHHELD_REASON, at: options.at, where: { inventoryKeys } });
    return;
  }
  if (inventoryKeys.length > 0) await evaluateGroups(tx, { ...options, cause: 'intake', inventoryKeys });
}
