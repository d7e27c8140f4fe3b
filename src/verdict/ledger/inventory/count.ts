// Owns the left side of the ledger: the inventory, counted at the grain, per inventory group. INVARIANT: it
// shares no statement with the rows it is compared with, nor with the fingerprints, and it reads no candidate
// table.
import { fillParts, type Transaction } from '../../../db/index.js';
import type { ClassMap, InventoryGroup } from '../../../inventory/group/index.js';
import { groupOf, walkRanges } from '../../../inventory/snapshot/index.js';
import { memberRegistries, memberTable } from '../member-table.js';
import { countContainers, countKeyless, countKeys, countUnborn, readBounds } from './count.sql.js';
import { KEYLESS } from './keyless.js';

export interface GroupCount {
  readonly group: InventoryGroup;
  /** 1 for a container with members; otherwise the number of its keys, born and unborn. */
  readonly units: bigint;
  /** The sum of the key hashes: one missing and one extra key do not cancel out in it. */
  readonly keys: bigint;
  readonly unborn: bigint;
}

export interface InventoryCount {
  /** By inventory key. */
  readonly groups: ReadonlyMap<string, GroupCount>;
  readonly ranges: number;
}

export interface CountOptions {
  /** The time limit of one statement, as set for the transaction. */
  readonly limitMs: number;
  /** The initial number of ranges; default: one. */
  readonly parts?: number;
  /** Called after each range with the share of all births that has been counted. */
  readonly afterRange?: (share: number) => void;
  /**
   * The groups with members, if the caller has just read them in the same snapshot; otherwise they are
   * counted.
   */
  readonly groups?: readonly InventoryGroup[];
}

/** Counts the inventory at the grain, in the caller's repeatable-read transaction. */
export async function countInventory(
  tx: Transaction,
  map: ClassMap,
  options: CountOptions,
): Promise<InventoryCount> {
  const groups = new Map<string, GroupCount>();
  const add = (group: InventoryGroup, units: bigint, keys: bigint, unborn = 0n): void => {
    const before = groups.get(group.key);
    groups.set(group.key, {
      group,
      units: group.inherits ? 1n : units + (before?.units ?? 0n),
      keys: keys + (before?.keys ?? 0n),
      unborn: unborn + (before?.unborn ?? 0n),
    });
  };
  const registries = memberRegistries(map);
  const members = memberTable(registries);
  const keysOf = fillParts(countKeys, { members });
  const { first_id: first, last_id: last } = await tx.one(readBounds, {});
  const collections = map.individual;
  // Enough memory to hash all keys of classes that do not inherit.
  await tx.script("set local work_mem = '64MB'");
  const ranges =
    first === null || last === null
      ? 0
      : await walkRanges(tx, { first, last }, options, async (range) => {
          const containers = options.groups === undefined ? await tx.run(countContainers, range) : [];
          const single = collections.length === 0 ? [] : await tx.run(keysOf, { ...range, collections });
          return () => {
            for (const row of containers) {
              const group = groupOf(map, row);
              if (group.inherits) add(group, 1n, 0n);
            }
            for (const row of single) {
              const group = groupOf(map, row);
              if (!group.inherits) add(group, row.units, BigInt(row.keys));
            }
          };
        });
  for (const group of options.groups ?? []) if (group.inherits) add(group, 1n, 0n);
  const unborn = await tx.run(fillParts(countUnborn, { members }), {
    registries: registries.map(({ name }) => name),
  });
  for (const row of unborn) {
    const group = groupOf(map, { ...row, species_code: null, status: null });
    if (!group.inherits) add(group, row.units, BigInt(row.keys), row.units);
  }
  const { births: keyless } = await tx.one(countKeyless, {});
  if (keyless > 0n) add(KEYLESS, keyless, 0n);
  return { groups, ranges };
}
