// Owns the running fingerprints. INVARIANT: only `applySums` adds to one, and only a recount replaces them.
// Rows that cannot be added with certainty mark all groups instead, because it is unknown in which group they
// were counted before.
import type { Transaction } from '../../db/index.js';
import type { ClassMap } from '../group/index.js';
import { type InventoryDimensions, type InventoryGroup, refreshGroups } from '../group/index.js';
import { type Fingerprint, type Part, readInventory } from '../snapshot/index.js';
import { tailErrors } from './errors.js';
import { forgetRanges } from './ranges.sql.js';
import {
  addParts,
  countMembers,
  isMarkedRow,
  knownKeys,
  markRows,
  readRows,
  replaceRows,
  zeroRows,
} from './running.sql.js';
import { countSetAside, withoutSetAside } from './set-aside.js';
import type { GroupPart, RowSums } from './sums.js';

/** The fingerprint of a group as numbers; an empty group has zeros and no maxima. */
export interface RunningFingerprint {
  readonly count: bigint;
  readonly grainCount: bigint;
  readonly maxBornAt: string | null;
  readonly maxId: bigint | null;
  readonly h1: bigint;
  readonly h2: bigint;
}

export interface RunningGroup extends InventoryDimensions, RunningFingerprint {
  readonly key: string;
  /** Whether it is unusable until it is recomputed. */
  readonly marked: boolean;
}

export interface CountChange {
  readonly inventoryKey: string;
  readonly before: bigint;
  readonly after: bigint;
}

/** The sums of a counted group. */
export const sumsOf = (group: Fingerprint): GroupPart => ({
  group,
  members: group.count,
  grain: group.grainCount,
  maxBornAt: group.maxBornAt,
  maxId: group.maxId,
  h1: String(group.h1),
  h2: String(group.h2),
});

export function columnsOf(parts: readonly GroupPart[]) {
  return {
    keys: parts.map((part) => part.group.key),
    members: parts.map((part) => part.members),
    grains: parts.map((part) => part.grain),
    maxBornAts: parts.map((part) => part.maxBornAt),
    maxIds: parts.map((part) => part.maxId),
    h1s: parts.map((part) => part.h1),
    h2s: parts.map((part) => part.h2),
  };
}

/** Marks every group for recomputation; returns how many were not marked yet. */
export async function markAllGroups(tx: Transaction): Promise<number> {
  return (await tx.run(markRows, {})).length;
}

/** Whether any group needs recomputation. */
export async function isMarked(tx: Transaction): Promise<boolean> {
  return (await tx.one(isMarkedRow, {})).marked;
}

/** The number of births in the running fingerprints. */
export async function countRunning(tx: Transaction): Promise<bigint> {
  return (await tx.one(countMembers, {})).births;
}

/**
 * Whether the running fingerprints contain exactly `births` births, less those that are set aside. Only after
 * a round has added all its rows: then a difference means that births were deleted, or lost their key.
 */
export async function areAllCounted(tx: Transaction, births: bigint): Promise<boolean> {
  const rest = births - (await countRunning(tx));
  return rest === 0n || (rest > 0n && rest === (await countSetAside(tx)));
}

/** Resets all running fingerprints to zero, so that a sweep can build them. */
export async function zeroRunning(tx: Transaction): Promise<number> {
  await tx.run(forgetRanges, { first: null });
  return (await tx.run(zeroRows, {})).length;
}

/** Adds rows that were never counted before to the running fingerprints, and creates new groups. */
export async function applySums(
  tx: Transaction,
  sums: RowSums,
  at: string,
): Promise<{
  readonly changed: readonly string[];
  readonly newGroups: readonly string[];
  readonly marked: number;
}> {
  const groups = [...new Map(sums.parts.map(({ group }) => [group.key, group])).values()];
  if (groups.length === 0) return { changed: [], newGroups: [], marked: 0 };
  const keys = groups.map((group) => group.key);
  const known = new Set((await tx.run(knownKeys, { keys })).map((row) => row.inventory_key));
  const fresh = groups.filter((group) => !known.has(group.key));
  if (fresh.length > 0) await refreshGroups(tx, fresh, at);
  const newGroups = fresh.map((group) => group.key);
  const added = await tx.run(addParts, { ...columnsOf(sums.parts), fresh: newGroups });
  if (added.length !== groups.length) {
    throw tailErrors.tail_group_missing(
      `${groups.length - added.length} of ${groups.length} groups are missing`,
    );
  }
  return { changed: keys, newGroups, marked: sums.uncertain ? await markAllGroups(tx) : 0 };
}

export interface Recomputed {
  /** Groups whose fingerprint changed. */
  readonly changed: readonly string[];
  readonly shrunk: readonly CountChange[];
  readonly newGroups: readonly string[];
}

/**
 * Replaces the running fingerprints of one part of the births by `sums`, together with those of all ranges
 * (for births that groups represent). `groups` are those of the sums and of the ranges that were counted now.
 */
export async function replaceRunning(
  tx: Transaction,
  map: ClassMap,
  sums: readonly GroupPart[],
  {
    groups,
    part,
    at,
  }: { readonly groups: readonly InventoryGroup[]; readonly part: Part; readonly at: string },
): Promise<Recomputed> {
  const all = new Map(groups.map((group) => [group.key, group]));
  const known = new Set((await tx.run(knownKeys, { keys: [...all.keys()] })).map((row) => row.inventory_key));
  const newGroups = [...all.keys()].filter((key) => !known.has(key));
  // A recount of everything refreshes all groups; of a part, only those that are new.
  const stale = part === 'all' ? [...all.values()] : newGroups.flatMap((key) => all.get(key) ?? []);
  if (stale.length > 0) await refreshGroups(tx, stale, at);
  const rows = await tx.run(replaceRows, { ...columnsOf(sums), part, individual: map.individual });
  return {
    changed: rows.filter((row) => row.changed).map((row) => row.inventory_key),
    shrunk: rows.flatMap(({ inventory_key: inventoryKey, before, after }) =>
      before !== null && after < before ? [{ inventoryKey, before, after }] : [],
    ),
    newGroups,
  };
}

/**
 * Replaces all running fingerprints with one aggregate, and forgets all ranges. Only for a wide round, after
 * it has remembered its rows.
 */
export async function recompute(
  tx: Transaction,
  map: ClassMap,
  options: { readonly limitMs: number; readonly at: string },
): Promise<Recomputed> {
  const read = await readInventory(tx, map, { limitMs: options.limitMs });
  const { groups } = (await withoutSetAside(tx, map, read)).inventory;
  await tx.run(forgetRanges, { first: null });
  return replaceRunning(tx, map, groups.map(sumsOf), { groups, part: 'all', at: options.at });
}

/** The running fingerprints, by key. */
export async function readRunning(tx: Transaction): Promise<readonly RunningGroup[]> {
  return (await tx.run(readRows, {})).map((row) => ({
    key: row.inventory_key,
    objectClass: row.object_class,
    sourceRegistry: row.source_registry,
    axisFamily: row.axis_family,
    lifecycleStatus: row.lifecycle_status,
    count: row.member_count ?? 0n,
    grainCount: row.grain_count ?? 0n,
    maxBornAt: row.max_born_at,
    maxId: row.max_id,
    h1: BigInt(row.h1 ?? 0),
    h2: BigInt(row.h2 ?? 0),
    marked: row.recompute_needed,
  }));
}
