// Owns subtracting the births that are set aside (in the retry list or dead-lettered). INVARIANT: a running
// fingerprint plus the births set aside equals the independent recount.
import type { Transaction } from '../../db/index.js';
import type { ClassMap } from '../group/index.js';
import type { Fingerprint, Inventory } from '../snapshot/index.js';
import { readSetAside } from './set-aside.sql.js';
import { birthOf, placeRows, sumRows } from './source.js';
import type { GroupPart } from './sums.js';

/** Ids of births that could not be processed. */
export async function readSetAsideIds(tx: Transaction): Promise<ReadonlySet<bigint>> {
  return new Set((await tx.run(readSetAside, {})).map((row) => row.id));
}

/** The number of births that could not be processed. */
export async function countSetAside(tx: Transaction): Promise<bigint> {
  return BigInt((await tx.run(readSetAside, {})).length);
}

export interface Counted {
  readonly inventory: Inventory;
  /** How many births were subtracted. */
  readonly births: bigint;
  /** Groups from which births were subtracted. */
  readonly groups: ReadonlySet<string>;
}

/** `inventory`, read in this snapshot, minus the births that are set aside. */
export async function withoutSetAside(
  tx: Transaction,
  map: ClassMap,
  inventory: Inventory,
): Promise<Counted> {
  const rows = (await tx.run(readSetAside, {})).map(birthOf);
  if (rows.length === 0) return { inventory, births: 0n, groups: new Set() };
  const { parts } = await sumRows(tx, map, rows, await placeRows(tx, map, rows));
  const aside = new Map<string, GroupPart[]>();
  for (const part of parts) aside.set(part.group.key, [...(aside.get(part.group.key) ?? []), part]);
  const groups = inventory.groups.map((group): Fingerprint => {
    const own = aside.get(group.key);
    if (own === undefined) return group;
    // Maxima cover all births: they are informative only and cannot be subtracted.
    const count = group.count - BigInt(own.length);
    const sum = (pick: (part: GroupPart) => bigint) => own.reduce((total, part) => total + pick(part), 0n);
    return {
      ...group,
      count,
      grainCount: group.inherits ? group.grainCount : group.grainCount - sum((part) => part.grain),
      h1: group.h1 - sum((part) => BigInt(part.h1)),
      h2: group.h2 - sum((part) => BigInt(part.h2)),
    };
  });
  return { inventory: { ...inventory, groups }, births: BigInt(rows.length), groups: new Set(aside.keys()) };
}
