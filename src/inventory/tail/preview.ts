// Owns the preview of inventory groups under rules that are not active: read from the births with the class
// map of those rules, plus the stored groups that would be empty. Writes nothing.
import type { Transaction } from '../../db/index.js';
import { type ClassMap, type InventoryGroup, readKnownGroups } from '../group/index.js';
import { readInventory, type SnapshotDocument } from '../snapshot/index.js';
import { readSetAsideIds, withoutSetAside } from './set-aside.js';

export interface PreviewedGroup extends InventoryGroup {
  /** Whether it would be counted and have no members. */
  readonly empty: boolean;
}

export interface PreviewedInventory {
  readonly groups: readonly PreviewedGroup[];
  /** Ids of births that could not be processed: they are in no group. */
  readonly setAside: ReadonlySet<bigint>;
  /** Whether the births are exactly those of the compared snapshot. */
  readonly isAsThen: boolean;
}

/** The groups according to `map`, in the caller's repeatable-read transaction. */
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
