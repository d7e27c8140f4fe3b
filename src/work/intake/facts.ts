// Owns the step from the facts of a change to the affected groups: only the dimensions of its meaning count.
import type { DirtyWhere } from '../../verdict/candidate/index.js';
import type { Dimension } from './map.js';

/** The facts of one change; an omitted field is unknown or irrelevant. */
export interface Facts {
  /** The group of an object: class, registry and lifecycle status in one key. */
  readonly inventoryKey?: string;
  readonly collection?: string;
  /** A class, or a LIKE pattern over classes. */
  readonly objectClass?: string;
  readonly axisFamily?: string;
  readonly scope?: string;
  readonly owner?: string;
  /** The change affects every group: it has no limit. */
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

/**
 * The fields of `facts` that count under `dimensions`, in a fixed order. A group key includes class and
 * registry.
 */
function usedOf(facts: Facts, dimensions: readonly Dimension[]): readonly Field[] {
  const named = new Set(dimensions.map((each) => FIELD_OF[each]));
  const used = FIELDS.filter((field) => named.has(field) && facts[field] !== undefined);
  return used.includes('inventoryKey')
    ? used.filter((field) => field !== 'collection' && field !== 'objectClass')
    : used;
}

/**
 * The smallest set of conditions that match exactly `facts`: facts that agree in all fields but the first are
 * merged. Empty if no relevant fact is known.
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
