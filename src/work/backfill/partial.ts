// Owns the sums of a sweep until it is done. Batches add to the sums of their part; the merge takes all of them away and adds
// them to the running fingerprints, in one transaction, so that they count once whatever happens in between.
import { statement, type Transaction } from '../../db/index.js';
import {
  applySums,
  type GroupPart,
  type RowSums,
  refreshGroups,
  type UnresolvedReason,
} from '../../inventory/index.js';
import addPartialSql from './add-partial.sql.js';
import takePartialsSql from './take-partials.sql.js';

const addRows = statement({
  name: 'backfill.add_partial',
  sql: addPartialSql,
  params: {
    part: 'int4',
    keys: 'text[]',
    members: 'int8[]',
    grains: 'int8[]',
    maxBornAts: 'timestamptz[]',
    maxIds: 'int8[]',
    h1s: 'text[]',
    h2s: 'text[]',
  },
  columns: { inventory_key: 'text' },
});
const takeRows = statement({
  name: 'backfill.take_partials',
  sql: takePartialsSql,
  params: {},
  columns: {
    inventory_key: 'text',
    object_class: 'text',
    source_registry: 'text',
    axis_family: 'text?',
    lifecycle_status: 'text?',
    unresolved_reason: 'text?',
    inherits: 'bool',
    member_count: 'int8',
    grain_count: 'int8',
    max_born_at: 'timestamptz',
    max_id: 'int8',
    h1: 'numeric',
    h2: 'numeric',
  },
});
export const partialStatements = [addRows, takeRows];

/** Adds `sums` to what `part` has; groups nobody has seen yet are created. Returns the keys of those groups. */
export async function addPartial(
  tx: Transaction,
  part: number,
  sums: RowSums,
  known: ReadonlySet<string>,
  at: string,
): Promise<readonly string[]> {
  const { parts } = sums;
  if (parts.length === 0) return [];
  const groups = new Map(parts.map(({ group }) => [group.key, group]));
  const fresh = [...groups.values()].filter((group) => !known.has(group.key));
  if (fresh.length > 0) await refreshGroups(tx, fresh, at);
  await tx.run(addRows, {
    part,
    keys: parts.map((each) => each.group.key),
    members: parts.map((each) => each.members),
    grains: parts.map((each) => each.grain),
    maxBornAts: parts.map((each) => each.maxBornAt),
    maxIds: parts.map((each) => each.maxId),
    h1s: parts.map((each) => each.h1),
    h2s: parts.map((each) => each.h2),
  });
  return fresh.map((group) => group.key);
}

/** Throws away what was summed up; for a sweep that begins anew. */
export async function dropPartials(tx: Transaction): Promise<void> {
  await tx.run(takeRows, {});
}

/** Makes what was summed up part of the running fingerprints; returns how many births that were. */
export async function mergePartials(tx: Transaction, at: string): Promise<bigint> {
  const rows = await tx.run(takeRows, {});
  const parts = rows.map(
    (row): GroupPart => ({
      group: {
        key: row.inventory_key,
        objectClass: row.object_class,
        sourceRegistry: row.source_registry,
        axisFamily: row.axis_family,
        lifecycleStatus: row.lifecycle_status,
        unresolved: row.unresolved_reason as UnresolvedReason | null,
        inherits: row.inherits,
      },
      members: row.member_count,
      grain: row.grain_count,
      maxBornAt: row.max_born_at,
      maxId: row.max_id,
      h1: row.h1,
      h2: row.h2,
    }),
  );
  await applySums(tx, { parts, uncertain: false }, at);
  return parts.reduce((total, part) => total + part.members, 0n);
}
