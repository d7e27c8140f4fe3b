// Owns leaving out what was set aside: a running fingerprint is of all births but those, so it and they
// together are the truth.
import type { Transaction } from '../../db/index.js';
import type { ClassMap } from '../group/index.js';
import type { Fingerprint, Inventory } from '../snapshot/index.js';
import { readSetAside } from './set-aside.sql.js';
import { birthOf, placeRows, sumRows } from './source.js';
import type { GroupPart } from './sums.js';

/** Births that could not be taken in, by id. */
export async function readSetAsideIds(tx: Transaction): Promise<ReadonlySet<bigint>> {
  return new Set((await tx.run(readSetAside, {})).map((row) => row.id));
}

export interface Counted {
  readonly inventory: Inventory;
  /** How many births were left out. */
  readonly births: bigint;
  /** Groups some of whose births were left out. */
  readonly groups: ReadonlySet<string>;
}

/** `inventory`, read in this snapshot, less the births that are set aside. */
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
    // Maxima are of everything that was seen: they are for people, and cannot be taken back.
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
