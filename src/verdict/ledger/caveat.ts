// Owns the caveats of a ledger: what its closing does not prove of some classes or collections. They are
// data, in the setting ledger.caveats. A ledger records each one whose objects are in its inventory.
import { z } from 'zod';
import { defineSetting, readSetting, type Transaction } from '../../db/index.js';

const named = z
  .strictObject({
    object_class: z.string().min(1).optional(),
    collection: z.string().min(1).optional(),
    caveat: z.string().min(1),
  })
  .refine(
    (each) => each.object_class !== undefined || each.collection !== undefined,
    'a caveat names an object class, a collection, or both',
  );
const setting = z.array(named);
export const ledgerCaveats = defineSetting({
  key: 'ledger.caveats',
  form: setting,
  default: [],
  about:
    'what a closed ledger does not prove of an object class or a collection: [{"object_class": …, "collection": …, "caveat": "…"}], one of the first two or both',
});
export type CaveatRule = z.infer<typeof named>;

export interface Caveat {
  /** Null: of any class. */
  readonly objectClass: string | null;
  /** Null: of any collection. */
  readonly collection: string | null;
  /** What the ledger does not prove of these units. */
  readonly caveat: string;
  /** Units in the inventory that it concerns. */
  readonly units: number;
}

export const readCaveatRules = (tx: Transaction): Promise<readonly CaveatRule[]> =>
  readSetting(tx, ledgerCaveats);

/** A number of units in one place of the inventory. */
export interface PlacedUnits {
  readonly objectClass: string;
  readonly sourceRegistry: string;
  readonly units: bigint;
}

/** The caveats that concern these units. */
export function caveatsOf(
  rules: readonly CaveatRule[],
  inventory: readonly PlacedUnits[],
): readonly Caveat[] {
  return rules.flatMap(({ object_class: objectClass = null, collection = null, caveat }): Caveat[] => {
    const concerned = inventory.filter(
      (each) =>
        (objectClass === null || each.objectClass === objectClass) &&
        (collection === null || each.sourceRegistry === collection),
    );
    const units = Number(concerned.reduce((sum, each) => sum + each.units, 0n));
    return units === 0 ? [] : [{ objectClass, collection, caveat, units }];
  });
}

/** The caveats of the setting that concern these units. */
export const caveatsIn = async (
  tx: Transaction,
  inventory: readonly PlacedUnits[],
): Promise<readonly Caveat[]> => caveatsOf(await readCaveatRules(tx), inventory);
