// Owns a map by the key of an object that holds no name of its own for each object: a plan keeps several of
// these for all objects that count one by one.
import type { ObjectKey } from '../../input/index.js';

export class ObjectMap<T> {
  readonly #collections = new Map<string, Map<string, T>>();

  has({ collection, code }: ObjectKey): boolean {
    return this.#collections.get(collection)?.has(code) ?? false;
  }

  set({ collection, code }: ObjectKey, value: T): void {
    const codes = this.#collections.get(collection) ?? new Map<string, T>();
    this.#collections.set(collection, codes);
    codes.set(code, value);
  }

  *values(): Generator<T> {
    for (const codes of this.#collections.values()) yield* codes.values();
  }
}

/** A map of objects to themselves. */
export function objectMapOf<T extends ObjectKey>(objects: Iterable<T>): ObjectMap<T> {
  const map = new ObjectMap<T>();
  for (const object of objects) map.set(object, object);
  return map;
}
