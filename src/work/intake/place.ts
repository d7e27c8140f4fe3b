// Owns the lookup of an object's group by its key, and of the collections of a class, in the caller's
// transaction.
import type { Transaction } from '../../db/index.js';
import type { ClassMap } from '../../inventory/group/index.js';
import { groupOf } from '../../inventory/snapshot/index.js';
import type { ObjectKey } from '../../verdict/input/index.js';
import { collectionRows, placeRows } from './place.sql.js';

const textOf = ({ collection, code }: ObjectKey): string => JSON.stringify([collection, code]);

/**
 * The inventory keys of objects by collection and code; undefined for an object with neither a birth nor a
 * row.
 */
export type Places = (key: ObjectKey) => string | undefined;

export async function placeObjects(
  tx: Transaction,
  map: ClassMap,
  keys: readonly ObjectKey[],
): Promise<Places> {
  const wanted = [...new Map(keys.map((key) => [textOf(key), key])).values()];
  if (wanted.length === 0) return () => undefined;
  const rows = await tx.run(placeRows, {
    collections: wanted.map((key) => key.collection),
    codes: wanted.map((key) => key.code),
  });
  const found = new Map<string, string>();
  for (const row of rows) {
    const key = wanted[Number(row.n) - 1];
    if (key === undefined) continue;
    const place = {
      collection_name: key.collection,
      species_code: row.species_code,
      status: row.status,
      member_status: null,
    };
    found.set(textOf(key), row.inventory_key ?? groupOf(map, place).key);
  }
  return (key) => found.get(textOf(key));
}

/** Class → the collections that contain its members. */
export async function collectionsByClass(tx: Transaction): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>();
  for (const row of await tx.run(collectionRows, {}))
    found.set(row.object_class, [...(found.get(row.object_class) ?? []), row.collection_name]);
  return found;
}
