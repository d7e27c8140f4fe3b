// Owns the fingerprint of every inventory group: count, count at the grain, maxima, and two order-independent
// sums of row hashes. Equal fingerprints from two independent paths prove that no row is missing or counted
// twice.
import { fillParts, type Transaction } from '../../../db/index.js';
import {
  type ClassMap,
  hasLifecycle,
  type InventoryGroup,
  inventoryKey,
  type MemberRegistry,
  memberTable,
} from '../../group/index.js';
import { aggregateAllBirths, aggregateBirths, aggregateMembers, readBounds } from './fingerprint.sql.js';
import { type IdRange, walkRanges } from './range.js';

/** Identifies the hash algorithm and its input. A change of it starts a new baseline and is not drift. */
export const ALGORITHM = 'gcos-fingerprint-1';

/** The hash of `gcos` on a little-endian server. */
export const LITTLE_ENDIAN = -523924102057733827n;

export interface Fingerprint extends InventoryGroup {
  readonly count: bigint;
  /**
   * The weight of the group in the ledger: 1 for a container, otherwise the number of keys whose first birth
   * is in it.
   */
  readonly grainCount: bigint;
  readonly maxBornAt: string;
  readonly maxId: bigint;
  readonly h1: bigint;
  readonly h2: bigint;
}

export interface Inventory {
  /** Sorted by key. */
  readonly groups: readonly Fingerprint[];
  /** Collections with births that match several classes of the catalogue. */
  readonly ambiguous: readonly string[];
  readonly ranges: number;
}

/** Births of collections whose members are represented by groups, or of the others; all by default. */
export type Part = 'all' | 'births' | 'members';

export interface ReadOptions {
  readonly limitMs: number;
  readonly parts?: number;
  readonly part?: Part;
  /** Only the births with these ids; the first birth of a key is then the first of these. */
  readonly only?: IdRange;
  /** Called before each range; an error it throws ends the reading. */
  readonly beforeRange?: () => void;
  /** Called after each range with the share of all births that has been read. */
  readonly afterRange?: (share: number) => void;
}

/** The columns that determine the group of a birth. */
export interface Place {
  readonly collection_name: string;
  readonly species_code: string | null;
  readonly status: string | null;
  readonly member_status?: string | null;
}

interface Sums {
  readonly births: bigint;
  readonly max_id: bigint;
  readonly max_born_at: string;
  readonly h1: string;
  readonly h2: string;
}

/** The inventory group of births at `place`. INVARIANT: every path that reads births uses this function. */
export function groupOf(map: ClassMap, place: Place): InventoryGroup {
  const found = map.classOf(place.collection_name, place.species_code);
  const own = found.inherits ? null : (place.member_status ?? null);
  const dimensions = {
    objectClass: found.name,
    sourceRegistry: place.collection_name,
    axisFamily: found.axisFamily,
    lifecycleStatus: own ?? place.status,
  };
  return {
    ...dimensions,
    key: inventoryKey(dimensions),
    inherits: found.inherits,
    unresolved: found.unresolved,
  };
}

/** The registries whose member status is used. */
export function statusRegistries(map: ClassMap): readonly MemberRegistry[] {
  const found = map.classes.flatMap((each) =>
    each.inherits || each.registry === null ? [] : [[each.registry.name, each.registry] as const],
  );
  return [...new Map(found).values()];
}

/** SQL: the members of the registries whose status is used, as one table. */
export const memberStatusTable = (map: ClassMap): string =>
  memberTable(statusRegistries(map).filter(hasLifecycle));

/**
 * Adds up partial sums. Ranges come in ascending order, so the first birth of a key is the one that counts.
 */
class Accumulator {
  readonly #map: ClassMap;
  readonly #groups = new Map<string, Fingerprint>();
  readonly #keys = new Map<string, Set<bigint>>();
  readonly ambiguous = new Set<string>();

  constructor(map: ClassMap) {
    this.#map = map;
  }

  add(place: Place, sums: Sums, keys: readonly bigint[]): void {
    const { collection_name: collection, species_code: species } = place;
    if (this.#map.isAmbiguous(collection, species)) this.ambiguous.add(collection);
    const group = groupOf(this.#map, place);
    const before = this.#groups.get(group.key);
    // Keys without weight are recorded too: a later birth of the key in another class of the collection is
    // not its first.
    const first = this.#firstSeen(collection, keys);
    const weight = group.inherits ? 1n : first + (before?.grainCount ?? 0n);
    this.#groups.set(group.key, {
      ...group,
      count: sums.births + (before?.count ?? 0n),
      grainCount: weight,
      maxBornAt: before === undefined ? sums.max_born_at : laterOf(before.maxBornAt, sums.max_born_at),
      maxId: before === undefined || sums.max_id > before.maxId ? sums.max_id : before.maxId,
      h1: BigInt(sums.h1) + (before?.h1 ?? 0n),
      h2: BigInt(sums.h2) + (before?.h2 ?? 0n),
    });
  }

  #firstSeen(collection: string, keys: readonly bigint[]): bigint {
    const seen = this.#keys.get(collection) ?? new Set();
    this.#keys.set(collection, seen);
    const before = seen.size;
    for (const key of keys) seen.add(key);
    return BigInt(seen.size - before);
  }

  groups(): readonly Fingerprint[] {
    return [...this.#groups.values()].sort((left, right) => (left.key < right.key ? -1 : 1));
  }
}

/**
 * Year, and the rest as text: timestamps are in ISO form and UTC, but years differ in length and BC years
 * count down.
 */
function timeRank(text: string): readonly [number, string] {
  if (text.endsWith('infinity')) return [text.startsWith('-') ? -Infinity : Infinity, ''];
  const end = text.indexOf('-');
  const year = Number(text.slice(0, end));
  return [text.endsWith('BC') ? -year : year, text.slice(end)];
}

function laterOf(left: string, right: string): string {
  const [a, b] = [timeRank(left), timeRank(right)];
  if (a[0] !== b[0]) return a[0] > b[0] ? left : right;
  return a[1] > b[1] ? left : right;
}

/** The first and the last id; undefined when there are no births. */
export async function boundsOf(tx: Transaction): Promise<IdRange | undefined> {
  const { first_id: first, last_id: last } = await tx.one(readBounds, {});
  return first === null || last === null ? undefined : { first, last };
}

const LOWEST = -(1n << 63n);
const HIGHEST = (1n << 63n) - 1n;

/** The bounds come from the index. A row beyond them, missing in a damaged index, must still be read. */
const openEnds = ({ first, last }: IdRange, bounds: IdRange): IdRange => ({
  first: first === bounds.first ? LOWEST : first,
  last: last === bounds.last ? HIGHEST : last,
});

/** Reads the fingerprints of all inventory groups, in the caller's repeatable-read transaction. */
export async function readInventory(
  tx: Transaction,
  map: ClassMap,
  options: ReadOptions,
): Promise<Inventory> {
  const total = new Accumulator(map);
  const { part = 'all', only } = options;
  const bounds = only ?? (await boundsOf(tx));
  if (bounds === undefined) return { groups: [], ambiguous: [], ranges: 0 };
  const individual = new Set(map.individual);
  const members = fillParts(aggregateMembers, { members: memberStatusTable(map) });
  // The planner assumes three independent columns and overestimates the number of groups. This memory lets it
  // hash anyway.
  await tx.script("set local work_mem = '64MB'");
  const ranges = await walkRanges(tx, bounds, options, async (range) => {
    const open = only === undefined ? openEnds(range, bounds) : range;
    const isWhole = open.first === LOWEST && open.last === HIGHEST;
    const readBirths = () => (isWhole ? tx.run(aggregateAllBirths, {}) : tx.run(aggregateBirths, open));
    const births = part === 'members' ? [] : await readBirths();
    const single =
      part === 'births' || map.individual.length === 0
        ? []
        : await tx.run(members, { ...open, collections: map.individual });
    return () => {
      for (const row of births) if (!individual.has(row.collection_name)) total.add(row, row, []);
      for (const row of single) total.add(row, row, row.keys);
    };
  });
  return { groups: total.groups(), ambiguous: [...total.ambiguous].sort(), ranges };
}
