// Owns reading births that are certainly new: above the highest id seen, or in gaps. A near round reads
// ranges of ids and every visible birth in them. The database aggregates births that are represented by their
// group; only births that count one by one are returned as rows.
import type { Transaction } from '../../db/index.js';
import type { ClassMap } from '../group/index.js';
import { groupOf, type IdRange } from '../snapshot/index.js';
import type { Facts } from './horizon.js';
import { INTAKE, type TailLimits } from './limits.js';
import type { SeenRun } from './memory.js';
import { insertSeenNear, nearRows, nearRuns, nearSums } from './near.sql.js';
import { type BirthRow, birthOf, placeRows, sumRows } from './source.js';
import type { GroupPart, RowSums } from './sums.js';

const { source } = INTAKE;
/** New births of one collection, species and status that are represented by their group. */
export interface AddedUp {
  readonly inventoryKey: string;
  readonly status: string | null;
  readonly births: bigint;
  /** How many of them GCOS caused itself. */
  readonly own: bigint;
}

/**
 * Ranges of ids in which every visible birth is new: one above the highest id seen, and any number in gaps.
 */
export interface Appended {
  readonly above: IdRange | null;
  readonly gaps: readonly IdRange[];
}

export const NOTHING_APPENDED: Appended = { above: null, gaps: [] };

/** The ranges that contain `runs`, in ascending order: one per gap, and one above the highest id seen. */
function appendedOf(runs: readonly SeenRun[]): Appended {
  const ranges = new Map<bigint | null, IdRange>();
  for (const { first, last, gapFirst } of runs)
    ranges.set(gapFirst, { first: ranges.get(gapFirst)?.first ?? first, last });
  const above = ranges.get(null) ?? null;
  ranges.delete(null);
  return { above, gaps: [...ranges.values()] };
}

const countOf = (runs: readonly SeenRun[]): number =>
  Number(runs.reduce((total, { first, last }) => total + last - first + 1n, 0n));

const upTo = (runs: readonly SeenRun[], last: bigint): readonly SeenRun[] =>
  runs.filter((run) => run.first <= last).map((run) => (run.last > last ? { ...run, last } : run));

/** `appended` as the parameters of a statement that reads births. */
export const birthsIn = ({ above, gaps }: Appended) => ({
  first: above?.first ?? null,
  last: above?.last ?? null,
  gapFirst: gaps.map((gap) => gap.first),
  gapLast: gaps.map((gap) => gap.last),
});

/** The births that a near round may read, in ascending order of ids. */
export async function findAppended(
  tx: Transaction,
  maxId: bigint | null,
  { backlogRows }: TailLimits,
): Promise<{ readonly runs: readonly SeenRun[]; readonly more: boolean }> {
  const found = await tx.run(nearRuns, { source, maxId, limit: BigInt(backlogRows) + 1n });
  const runs = found.map((row) => ({
    first: row.first_id,
    last: row.last_id,
    gapFirst: row.gap_first,
    gapLast: row.gap_last,
  }));
  const last = runs.at(-1)?.last;
  if (last === undefined || countOf(runs) <= backlogRows) return { runs, more: false };
  return { runs: upTo(runs, last - 1n), more: true };
}

export interface NearReading {
  /** Runs of consecutive ids: exactly the births that are read. */
  readonly runs: readonly SeenRun[];
  readonly appended: Appended;
  readonly count: number;
  readonly more: boolean;
  /** Births of collections whose members count one by one, and the group of each. */
  readonly rows: readonly BirthRow[];
  readonly inventoryKeys: readonly string[];
  /** All others. */
  readonly addedUp: readonly AddedUp[];
  /** The sums over all of them. */
  readonly sums: RowSums;
}

export const NOTHING_NEAR: NearReading = {
  runs: [],
  appended: NOTHING_APPENDED,
  count: 0,
  more: false,
  rows: [],
  inventoryKeys: [],
  addedUp: [],
  sums: { parts: [], uncertain: false },
};

/** Reads the births found, or as many as contain no more single rows than one round processes. */
export async function readAppended(
  tx: Transaction,
  map: ClassMap,
  found: { readonly runs: readonly SeenRun[]; readonly more: boolean },
  { facts, limits }: { readonly facts: Facts; readonly limits: TailLimits },
): Promise<NearReading> {
  const most = BigInt(limits.backlogRows) + 1n;
  const collections = map.individual;
  const limit = BigInt(limits.roundRows) + 1n;
  const all = { ...birthsIn(appendedOf(found.runs)), most, collections };
  const single =
    collections.length === 0 ? [] : await tx.run(nearRows, { ...all, nextXid: facts.nextXid, limit });
  const tooMany = single.length > limits.roundRows;
  const rows = single.slice(0, limits.roundRows).map(birthOf);
  const runs = tooMany ? upTo(found.runs, rows.at(-1)?.id ?? 0n) : found.runs;
  const appended = appendedOf(runs);
  const places = await tx.run(nearSums, { ...birthsIn(appended), most, collections });
  const groups = await placeRows(tx, map, rows);
  const own = await sumRows(tx, map, rows, groups);
  const parts = places.map(
    (place): GroupPart => ({
      group: groupOf(map, { ...place, member_status: null }),
      members: place.births,
      grain: 0n,
      maxBornAt: place.max_born_at,
      maxId: place.max_id,
      h1: place.h1,
      h2: place.h2,
    }),
  );
  return {
    runs,
    appended,
    count: countOf(runs),
    more: found.more || tooMany,
    rows,
    inventoryKeys: groups.map((group) => group.key),
    addedUp: places.map((place, index) => ({
      inventoryKey: parts[index]?.group.key ?? '',
      status: place.status,
      births: place.births,
      own: place.own,
    })),
    sums: { parts: [...parts, ...own.parts], uncertain: own.uncertain },
  };
}

/** Adds every birth of `appended` to the list of seen rows. */
export async function rememberAppended(
  tx: Transaction,
  appended: Appended,
  { facts, limits }: { readonly facts: Facts; readonly limits: TailLimits },
): Promise<void> {
  const most = BigInt(limits.backlogRows) + 1n;
  await tx.run(insertSeenNear, { ...birthsIn(appended), most, source, nextXid: facts.nextXid });
}
