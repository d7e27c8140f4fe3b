// Owns the addresses of signals: the table and the key of what a signal is about. A finding names an entity
// by its kind and code; here the kind becomes a table.
import type { Signal } from '../record/event/index.js';

export interface Entity {
  /** `collection`, a class, or one of the kinds below. */
  readonly type: string;
  readonly code: string;
  /** The registry that contains the members of the class; null: unknown. */
  readonly registry: string | null;
}

export type Address = Pick<Signal, 'subjectTable' | 'subjectRef'>;

/** Kinds of entities that are not the name of a class, and the table that lists them. */
const TABLES: Readonly<Record<string, string>> = {
  collection: 'collection_registry',
  class: 'meta_catalog',
  object_class: 'meta_catalog',
  axis_family: 'axis_registry',
  governing_body: 'governance_registry',
  responsibility_scope: 'governance_responsibility_scope',
  event_type: 'event_type_registry',
  measurement: 'measurement_registry',
  ruleset_family: 'governance_ruleset',
  snapshot: 'evolution_snapshots',
  snapshot_kind: 'evolution_snapshots',
  inventory_group: 'governance_inventory',
};

/** The longest text that a signal may contain, less some room for a prefix. */
const LONGEST = 400;

/** A text that a signal may contain. */
export const shorten = (text: string): string =>
  text.length <= LONGEST ? text : text.slice(0, LONGEST).replace(/[\uD800-\uDBFF]$/, '');

export const addressAt = (table: string, ref: string | null): Address => ({
  subjectTable: shorten(table),
  ...(ref === null || ref === '' ? {} : { subjectRef: shorten(ref) }),
});

/** The table and key of an entity. */
export function addressOf({ type, code, registry }: Entity): Address {
  if (type === 'table') return addressAt(code, null);
  if (type === 'worker') return addressAt('gov_worker_cursor', code.replace(/^gcos_/, ''));
  return addressAt(TABLES[type] ?? registry ?? type, code);
}
