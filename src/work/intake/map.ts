// Owns what a change means: a table of (source, action) → kind → dimensions dirtied. What it does not name is a change of the source.
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
  /** Null: nothing follows from it. */
  readonly kind: string | null;
  readonly dimensions: readonly Dimension[];
  /** Null where it dirties nothing. */
  readonly reason: string | null;
}

const UNMAPPED: Meaning = {
  kind: 'source_changed',
  dimensions: ['object_class', 'source_registry', 'lifecycle_status'],
  reason: 'handoff:source_changed',
};

/** Any action of a source that has no row of its own. */
const ANY = '*';

export type HandoffMap = (source: string, action: string) => Meaning;

/** An action may be qualified (`iu.created`): its own row counts before that of its last part. */
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
