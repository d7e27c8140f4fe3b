// Owns what the inventory groups would be under rules that are not in force: read from the births by the map
// those rules give, with the groups that are known and would be empty. Writes nothing.
import type { Transaction } from '../../db/index.js';
import { type ClassMap, type InventoryGroup, readKnownGroups } from '../group/index.js';
import { readInventory, type SnapshotDocument } from '../snapshot/index.js';
import { readSetAsideIds, withoutSetAside } from './set-aside.js';

export interface PreviewedGroup extends InventoryGroup {
  /** Whether it would have been counted, and have nobody in it. */
  readonly empty: boolean;
}

export interface PreviewedInventory {
  readonly groups: readonly PreviewedGroup[];
  /** Births that could not be taken in, by id: they are in no group. */
  readonly setAside: ReadonlySet<bigint>;
  /** Whether the births are those of the snapshot it was compared with, to the last bit. */
  readonly isAsThen: boolean;
}

/** The groups as `map` gives them, in the caller's repeatable-read transaction. */
export async function previewInventory(
  tx: Transaction,
  map: ClassMap,
  options: {
    readonly limitMs: number;
    /** The groups of a snapshot to compare with, by key. */
    readonly then?: SnapshotDocument['groups'];
  },
): Promise<PreviewedInventory> {
  const { then } = options;
  const known = await readKnownGroups(tx);
  const read = await readInventory(tx, map, options);
  const { groups } = (await withoutSetAside(tx, map, read)).inventory;
  const there = new Set(groups.map((group) => group.key));
  return {
    groups: [
      ...groups.map(({ key, objectClass, sourceRegistry, axisFamily, lifecycleStatus, ...rest }) => ({
        ...{ key, objectClass, sourceRegistry, axisFamily, lifecycleStatus },
        ...{ unresolved: rest.unresolved, inherits: rest.inherits, empty: rest.count === 0n },
      })),
      ...known
        .filter((group) => !there.has(group.key))
        .map(({ memberCount, ...group }) => ({ ...group, empty: memberCount !== null })),
    ],
    setAside: await readSetAsideIds(tx),
    isAsThen:
      then !== undefined &&
      read.groups.length === Object.keys(then).length &&
      read.groups.every(({ key, count, h1, h2 }) => {
        const before = then[key];
        return before !== undefined && [count, h1, h2].join() === [before.count, before.h1, before.h2].join();
      }),
  };
}
