// Owns the findings about parts of the inventory that the catalogue cannot resolve: a collection without a
// class, a class whose registry is missing, a collection with ambiguous classes. One finding per cause.
import type { Observation } from '../../record/finding/index.js';
import type { ClassMap } from '../group/index.js';
import type { Inventory } from './fingerprint/fingerprint.js';

export const GAP_TYPE = 'backfill_inventory_gap';

function gap(
  entityType: 'collection' | 'object_class',
  name: string,
  rootCause: string,
  evidence: Readonly<Record<string, unknown>>,
): Observation {
  return { type: GAP_TYPE, subject: name, rootCause, entityType, entityCode: name, evidence };
}

/** The findings about the unresolved parts of `inventory`. */
export function inventoryGaps(map: ClassMap, inventory: Inventory): readonly Observation[] {
  const births = (matches: (group: Inventory['groups'][number]) => boolean): bigint =>
    inventory.groups.filter(matches).reduce((total, group) => total + group.count, 0n);
  const classless = new Set(
    inventory.groups.filter((group) => group.unresolved === 'no_class').map((group) => group.sourceRegistry),
  );
  const lacking = new Map(
    map.classes.filter((each) => each.unresolved !== null).map((each) => [each.name, each]),
  );
  return [
    ...[...classless].map((collection) =>
      gap('collection', collection, 'no_class', {
        births: births((group) => group.sourceRegistry === collection),
      }),
    ),
    ...[...lacking.values()].map((each) =>
      gap('object_class', each.name, each.unresolved ?? '', {
        registry: each.registry?.name,
        births: births((group) => group.objectClass === each.name),
      }),
    ),
    ...inventory.ambiguous.map((collection) => gap('collection', collection, 'ambiguous_class', {})),
  ];
}
