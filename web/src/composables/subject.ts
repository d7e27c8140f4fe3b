// What an act or a decision is about, in words, and where the console shows it.
import type { RouteLocationRaw } from 'vue-router';

type Fields = Readonly<Record<string, unknown>>;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};

export interface Subject {
  /** What kind of thing it is. */
  readonly kind: string;
  /** Its name, as its owner knows it. */
  readonly name: string;
  readonly to?: RouteLocationRaw;
}

/** An object, a group, a collection or a class, in each form that the API uses. */
export function subjectOf(value: unknown): Subject {
  const given = fieldsOf(value);
  const kind = text(given['kind']) || text(given['subject']);
  const collection = text(given['collection']);
  const code = text(given['code']);
  const group = text(given['group']) || text(given['inventory_key']);
  if (collection !== '' && code !== '')
    return {
      kind: 'object',
      name: `${collection} / ${code}`,
      to: `/objects/${encodeURIComponent(collection)}/${encodeURIComponent(code)}`,
    };
  if (group !== '') return { kind: 'group', name: group, to: `/groups/${encodeURIComponent(group)}` };
  if (collection !== '')
    return { kind: 'collection', name: collection, to: { path: '/objects', query: { collection } } };
  const objectClass = text(given['object_class']) || text(given['class']);
  if (objectClass !== '') return { kind: 'class', name: objectClass };
  return { kind: kind || 'subject', name: 'not named' };
}

export { fieldsOf };
