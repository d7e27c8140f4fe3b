// Owns the meaning of a change: a table of (source, action) → kind → dirty dimensions. An action without a
// row counts as `source_changed`.
import type { Transaction } from '../../db/index.js';
import { readRows } from './map.sql.js';

export type Dimension =
  | 'object_class'
  | 'source_registry'
  | 'axis_family'
  | 'lifecycle_status'
  | 'scope'
  | 'owner_scope';

export interface Meaning {
  /** Null: the change has no consequences. */
  readonly kind: string | null;
  readonly dimensions: readonly Dimension[];
  /** Null if the change marks nothing. */
  readonly reason: string | null;
}

const UNMAPPED: Meaning = {
  kind: 'source_changed',
  dimensions: ['object_class', 'source_registry', 'lifecycle_status'],
  reason: 'handoff:source_changed',
};

/** Matches any action of a source that has no row of its own. */
const ANY = '*';

export type HandoffMap = (source: string, action: string) => Meaning;

/** For a qualified action (`iu.created`), its own row takes precedence over that of its last part. */
export async function readHandoffMap(tx: Transaction): Promise<HandoffMap> {
  const key = (source: string, action: string) => JSON.stringify([source, action]);
  const rows = new Map(
    (await tx.run(readRows, {})).map((row): [string, Meaning] => [
      key(row.source, row.action),
      { kind: row.kind, dimensions: row.dimensions as readonly Dimension[], reason: row.dirty_reason },
    ]),
  );
  return (source, action) =>
    rows.get(key(source, action)) ??
    rows.get(key(source, action.slice(action.lastIndexOf('.') + 1))) ??
    rows.get(key(source, ANY)) ??
    UNMAPPED;
}
