// Owns reading rows of birth_registry for the tail and the sweep, and finding the group of each. INVARIANT:
// row hash and group come from the snapshot module, so all paths agree.
import { fillParts, type Transaction } from '../../db/index.js';
import type { ClassMap, InventoryGroup } from '../group/index.js';
import { groupOf, type IdRange, memberStatusTable } from '../snapshot/index.js';
import { type Facts, requireOneSnapshot, type Walking, walkPages, wholeOf } from './horizon.js';
import { INTAKE, type TailLimits } from './limits.js';
import type { SeenRow } from './memory.js';
import {
  countKeylessIn,
  countRows,
  countRowsIn,
  countSinceIn,
  memberDigest,
  memberStatuses,
  olderRows,
  olderSums,
  readTwins,
  sweepPage,
  wideRows,
  wideRowsIn,
} from './source.sql.js';
import type { GroupPart, RowSums } from './sums.js';

const { source } = INTAKE;

/** One row version as read by a round. */
export interface BirthRow extends SeenRow {
  readonly collection: string;
  readonly code: string;
  readonly species: string | null;
  readonly status: string | null;
  readonly bornAt: string;
  readonly h1: string;
  readonly h2: string;
}

interface ReadRow {
  readonly id: bigint;
  readonly collection_name: string;
  readonly code: string;
  readonly species_code: string | null;
  readonly status: string | null;
  readonly born_at: string;
  readonly h1: string;
  readonly h2: string;
}

export function birthOf(
  row: ReadRow & { xid?: bigint; gap_first?: bigint | null; gap_last?: bigint | null },
): BirthRow {
  return {
    id: row.id,
    xid: row.xid ?? 0n,
    gapFirst: row.gap_first ?? null,
    gapLast: row.gap_last ?? null,
    collection: row.collection_name,
    code: row.code,
    species: row.species_code,
    status: row.status,
    bornAt: row.born_at,
    h1: row.h1,
    h2: row.h2,
  };
}

/** The number of births without a key. */
export async function countKeyless(tx: Transaction, facts: Facts, options: Walking): Promise<bigint> {
  let births = 0n;
  await walkPages(tx, facts, options, async (range = wholeOf(facts)) => {
    const part = await tx.one(countKeylessIn, range);
    return () => {
      births += part.births;
    };
  });
  return births;
}

/** The number of births. */
export async function countBirths(tx: Transaction, facts: Facts, options: Walking): Promise<bigint> {
  let births = 0n;
  await walkPages(tx, facts, options, async (range) => {
    const part = range === undefined ? await tx.one(countRows, {}) : await tx.one(countRowsIn, range);
    return () => {
      births += part.births;
    };
  });
  return births;
}

export interface WideReading {
  /** In ascending order of ids, at most as many as a round processes; the lowest ids found. */
  readonly rows: readonly BirthRow[];
  readonly more: boolean;
  /** Too many rows to process one by one. */
  readonly tooMany: boolean;
  readonly ranges: number;
  /** The number of births, if it was counted in the same scan. */
  readonly births?: bigint;
}

/**
 * Rows written since `horizon` that no round has seen. If none are expected, one scan counts the births and
 * those written since; only if there are some, a second scan reads them.
 */
export async function readWide(
  tx: Transaction,
  facts: Facts,
  horizon: string,
  options: Walking & { readonly limits: TailLimits; readonly expectsRows: boolean },
): Promise<WideReading> {
  const { roundRows, rebaseRows } = options.limits;
  const { upper, nextXid } = facts;
  const params = {
    ...{ source, horizon, upper, nextXid },
    limit: BigInt(roundRows) + 1n,
    countUpTo: BigInt(rebaseRows),
  };
  const readRows = async (range: IdRange | undefined) =>
    range === undefined ? tx.run(wideRows, params) : tx.run(wideRowsIn, { ...params, ...range });
  let [found, births] = [0n, 0n];
  let rows: BirthRow[] = [];
  const ranges = await walkPages(tx, facts, options, async (range) => {
    // Once there are too many rows, the remaining ranges are skipped.
    if (found > BigInt(rebaseRows)) return () => undefined;
    const counted = options.expectsRows
      ? undefined
      : await tx.one(countSinceIn, { horizon, upper, ...(range ?? wholeOf(facts)) });
    const part = counted?.since === 0n ? [] : await readRows(range);
    return () => {
      births += counted?.births ?? 0n;
      found += part[0]?.found ?? 0n;
      rows = [...rows, ...part.map(birthOf)]
        .sort((left, right) => (left.id < right.id ? -1 : 1))
        .slice(0, roundRows + 1);
    };
  });
  return {
    rows: rows.slice(0, roundRows),
    more: rows.length > roundRows,
    tooMany: found > BigInt(rebaseRows),
    ranges,
    ...(options.expectsRows ? {} : { births }),
  };
}

/** The member statuses in the registries, as one digest. */
export async function readMemberDigest(tx: Transaction, map: ClassMap): Promise<string> {
  return (await tx.one(fillParts(memberDigest, { members: memberStatusTable(map) }), {})).digest;
}

const keyText = (collection: string, code: string): string => JSON.stringify([collection, code]);

function keysOf(rows: readonly BirthRow[]): { collections: string[]; codes: string[] } {
  const pairs = [...new Map(rows.map((row) => [keyText(row.collection, row.code), row])).values()];
  return { collections: pairs.map((row) => row.collection), codes: pairs.map((row) => row.code) };
}

/** Whether the row counts by itself, so that the status of its member and other births of its key matter. */
export function isIndividual(map: ClassMap, row: BirthRow): boolean {
  return !map.classOf(row.collection, row.species).inherits;
}

/** The group of each of `rows`, in their order. */
export async function placeRows(
  tx: Transaction,
  map: ClassMap,
  rows: readonly BirthRow[],
): Promise<readonly InventoryGroup[]> {
  const single = rows.filter((row) => isIndividual(map, row));
  const found =
    single.length === 0
      ? []
      : await tx.run(fillParts(memberStatuses, { members: memberStatusTable(map) }), keysOf(single));
  const statuses = new Map(found.map((row) => [keyText(row.collection_name, row.code), row.status]));
  return rows.map((row) =>
    groupOf(map, {
      collection_name: row.collection,
      species_code: row.species,
      status: row.status,
      member_status: statuses.get(keyText(row.collection, row.code)) ?? null,
    }),
  );
}

/**
 * Adds up `rows` in `groups`. A key has weight in the group of its first birth; a later birth adds none.
 * `uncertain`: a first birth arrives after later ones, which may have been counted as the first. An addition
 * cannot correct that.
 */
export async function sumRows(
  tx: Transaction,
  map: ClassMap,
  rows: readonly BirthRow[],
  groups: readonly InventoryGroup[],
): Promise<RowSums> {
  const single = rows.filter((row) => isIndividual(map, row));
  const twins = single.length === 0 ? [] : await tx.run(readTwins, keysOf(single));
  const keys = new Map(twins.map((row) => [keyText(row.collection_name, row.code), row]));
  const here = new Map<string, bigint>();
  for (const row of rows) {
    const key = keyText(row.collection, row.code);
    here.set(key, (here.get(key) ?? 0n) + 1n);
  }
  const isFirst = (row: BirthRow) =>
    (keys.get(keyText(row.collection, row.code))?.first_id ?? row.id) === row.id;
  return {
    parts: rows.flatMap((row, index) => {
      const group = groups[index];
      if (group === undefined) return [];
      const { h1, h2, id: maxId, bornAt: maxBornAt } = row;
      const grain = !group.inherits && isFirst(row) ? 1n : 0n;
      return [{ group, members: 1n, grain, maxBornAt, maxId, h1, h2 }];
    }),
    uncertain: single.some((row) => {
      const key = keyText(row.collection, row.code);
      return isFirst(row) && keys.get(key)?.births !== here.get(key);
    }),
  };
}

/** The first and the last of the next `limit` ids after `after`. */
export async function readSweepBounds(
  tx: Transaction,
  options: { readonly after: bigint | null; readonly limit: number },
): Promise<{ readonly first: bigint | null; readonly last: bigint | null }> {
  const page = await tx.one(sweepPage, { after: options.after, upTo: null, limit: BigInt(options.limit) });
  return { first: page.first_id, last: page.last_id };
}

export interface SweepPage {
  /** The first and the last id of the page; null: there are no more rows. */
  readonly firstId: bigint | null;
  readonly lastId: bigint | null;
  /** The rows in the page, and those of them that are older than the horizon and therefore counted here. */
  readonly scanned: bigint;
  readonly counted: bigint;
  readonly sums: RowSums;
}

export interface SweepOptions {
  /** The horizon at the start of the tail: the sweep counts the rows older than it. */
  readonly horizon: string;
  readonly after: bigint | null;
  /**
   * The last id to read. The highest id at the start of the tail is sufficient: rows above it are not older.
   * Default: the end.
   */
  readonly upTo?: bigint | null;
  readonly limit: number;
  /** Ids to skip, such as failed births. */
  readonly except?: readonly bigint[];
}

/** The next page of a sweep by primary key: the sums of its rows older than the horizon, for `applySums`. */
export async function readSweepPage(
  tx: Transaction,
  map: ClassMap,
  options: SweepOptions,
): Promise<SweepPage> {
  const { horizon, after, upTo = null, except = [] } = options;
  const page = await tx.one(sweepPage, { after, upTo, limit: BigInt(options.limit) });
  requireOneSnapshot(page.isolation);
  const { first_id: firstId, last_id: lastId, scanned, upper } = page;
  if (lastId === null)
    return { firstId, lastId, scanned, counted: 0n, sums: { parts: [], uncertain: false } };
  const params = { after, last: lastId, horizon, upper, collections: map.individual, except };
  const places = await tx.run(olderSums, params);
  const rows = map.individual.length === 0 ? [] : (await tx.run(olderRows, params)).map(birthOf);
  // If a first birth appears later, the tail reads it and marks the groups: nothing is uncertain here.
  const single = (await sumRows(tx, map, rows, await placeRows(tx, map, rows))).parts;
  const parts: GroupPart[] = places.map((place) => ({
    group: groupOf(map, place),
    members: place.births,
    grain: 0n,
    maxBornAt: place.max_born_at,
    maxId: place.max_id,
    h1: place.h1,
    h2: place.h2,
  }));
  const counted = places.reduce((total, place) => total + place.births, BigInt(rows.length));
  return {
    firstId,
    lastId,
    scanned,
    counted,
    sums: { parts: [...parts, ...single], uncertain: false },
  };
}
