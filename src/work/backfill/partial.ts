// Owns the partial sums of a sweep that has not ended. Each batch adds to the sums of its part. The merge
// removes all partial sums and adds them to the running fingerprints in one transaction, so that each birth
// counts once.
import type { Transaction } from '../../db/index.js';
import { refreshGroups, type UnresolvedReason } from '../../inventory/group/index.js';
import { applySums, type GroupPart, type RowSums } from '../../inventory/tail/index.js';
import { addRows, takeRows } from './partial.sql.js';

/**
 * Adds `sums` to those of `part` and creates the groups that do not exist yet. Returns the keys of those
 * groups.
 */
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

/** Deletes all partial sums; for a sweep that starts over. */
export async function dropPartials(tx: Transaction): Promise<void> {
  await tx.run(takeRows, {});
}

/** Adds the partial sums to the running fingerprints; returns how many births they contain. */
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
