// Owns the step from what is known of a change to the groups it concerns: of what is known, the dimensions that its meaning names.
import type { DirtyWhere } from '../../verdict/candidate/index.js';
import type { Dimension } from './map.js';

/** What is known of one change; what is left out is not known, or does not matter. */
export interface Facts {
  /** The group an object is in: class, registry and lifecycle at once. */
  readonly inventoryKey?: string;
  readonly collection?: string;
  /** A class, or a LIKE pattern over classes. */
  readonly objectClass?: string;
  readonly axisFamily?: string;
  readonly scope?: string;
  readonly owner?: string;
  /** It concerns every group: nobody limited it. */
  readonly everything?: true;
}

const FIELDS = ['inventoryKey', 'collection', 'objectClass', 'axisFamily', 'scope', 'owner'] as const;
type Field = (typeof FIELDS)[number];

const FIELD_OF: Readonly<Record<Dimension, Field>> = {
  lifecycle_status: 'inventoryKey',
  source_registry: 'collection',
  object_class: 'objectClass',
  axis_family: 'axisFamily',
  scope: 'scope',
  owner_scope: 'owner',
};
const WHERE_OF: Readonly<Record<Field, keyof DirtyWhere>> = {
  inventoryKey: 'inventoryKeys',
  collection: 'collections',
  objectClass: 'classPatterns',
  axisFamily: 'axisFamilies',
  scope: 'scopes',
  owner: 'owners',
};

/** The fields of `facts` that count under `dimensions`, in a fixed order. A group says all that class and registry could. */
function usedOf(facts: Facts, dimensions: readonly Dimension[]): readonly Field[] {
  const named = new Set(dimensions.map((each) => FIELD_OF[each]));
  const used = FIELDS.filter((field) => named.has(field) && facts[field] !== undefined);
  return used.includes('inventoryKey')
    ? used.filter((field) => field !== 'collection' && field !== 'objectClass')
    : used;
}

/**
 * The fewest conditions that name exactly what `facts` name: those that agree in all but their first field become one. Empty
 * where nothing that counts is known.
 */
export function whereOf(facts: readonly Facts[], dimensions: readonly Dimension[]): readonly DirtyWhere[] {
  if (facts.some((each) => each.everything)) return [{}];
  const merged = new Map<
    string,
    { readonly first: Field; readonly values: Set<string>; readonly of: Facts }
  >();
  for (const each of facts) {
    const [first, ...rest] = usedOf(each, dimensions);
    const value = first === undefined ? undefined : each[first];
    if (first === undefined || value === undefined) continue;
    const key = JSON.stringify([first, ...rest.map((field) => [field, each[field]])]);
    const found = merged.get(key) ?? { first, values: new Set<string>(), of: each };
    merged.set(key, found);
    found.values.add(value);
  }
  return [...merged.values()].map(({ first, values, of }) => {
    const rest = usedOf(of, dimensions).slice(1);
    return {
      [WHERE_OF[first]]: [...values].sort(),
      ...Object.fromEntries(rest.map((field) => [WHERE_OF[field], [of[field]]])),
    };
  });
}
