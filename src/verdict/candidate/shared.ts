// Owns which class-0 collections, classes and objects shared data refers to: those that ownership, an axis,
// or the reach of a rule or law names. They are no longer class 0, whatever their profile or the decision
// about their collection.
import type { Transaction } from '../../db/index.js';
import { type CollectionDecision, readReferences, rowsOf } from '../../host/index.js';
import { axisClasses, type ClassMap } from '../../inventory/group/index.js';

export interface SharedFacts {
  readonly collections: ReadonlySet<string>;
  readonly classes: ReadonlySet<string>;
  /** Single objects with their possible collections; not all of them have a birth. */
  readonly objects: readonly { readonly collection: string; readonly code: string }[];
  isShared(collection: string, objectClass: string, code: string): boolean;
}

const nameOf = (...parts: readonly string[]): string => JSON.stringify(parts);

/** The class-0 collections, classes and objects that shared data refers to. */
export async function readSharedFacts(
  tx: Transaction,
  map: ClassMap,
  decisions: ReadonlyMap<string, CollectionDecision>,
): Promise<SharedFacts> {
  const places = map.classes.flatMap(({ name, profile }) =>
    map
      .collectionsOf(name)
      .filter((collection) => profile?.class0 === true || decisions.get(collection)?.means === 'class_0')
      .map((collection) => ({ objectClass: name, collection })),
  );
  const collections = [...new Set(places.map((place) => place.collection))];
  const classes = [...new Set(places.map((place) => place.objectClass))];
  const reached = new Set(rowsOf(map.content, 'reach').map((row) => row['source_registry']));
  const onAxes = axisClasses(map.content);
  const owned = places.length === 0 ? [] : await readReferences(tx, { collections, classes });
  const ofType = (type: string) =>
    owned.filter((each) => each.objectType === type).map((each) => each.objectRef);
  const objects = places.flatMap(({ objectClass, collection }) =>
    ofType(objectClass).map((code) => ({ objectClass, collection, code })),
  );
  const names = new Set(objects.map((each) => nameOf(each.collection, each.objectClass, each.code)));
  return {
    collections: new Set([...ofType('collection'), ...collections.filter((name) => reached.has(name))]),
    classes: new Set([...ofType('class'), ...classes.filter((name) => onAxes.has(name))]),
    objects: objects.map(({ collection, code }) => ({ collection, code })),
    isShared: (collection, objectClass, code) => names.has(nameOf(collection, objectClass, code)),
  };
}
