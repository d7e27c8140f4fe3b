// Owns the lists of objects and of inventory groups: every birth with its class, group and owners, and every
// group with what is recorded of it, in pages.
import { type Database, fillParts, type RowOf, type Transaction } from '../../db/index.js';
import { type Installation, requireOwner } from '../../host/index.js';
import { type ClassMap, type InventoryGroup, readClassMap } from '../../inventory/group/index.js';
import { groupOf, memberStatusTable, type Place } from '../../inventory/snapshot/index.js';
import { pageCursor, readCursor, requireKnown, requireLimit, unknownName } from '../../kernel/index.js';
import { objectErrors } from './errors.js';
import {
  countBirths,
  hasStatus,
  listDimensions,
  pageBirths,
  pageGroups,
  readOwners,
  readOwnRows,
} from './object.sql.js';

export interface ObjectFilter {
  readonly collection?: string;
  /** The status of the birth. */
  readonly status?: string;
  /** The key of an inventory group. */
  readonly group?: string;
  readonly limit?: number;
  /** `next` of the previous page. */
  readonly after?: string;
}

export interface ScopeOwner {
  readonly scope: string;
  /** Null: no owner is accountable, or more than one. */
  readonly owner: string | null;
}

/** One birth. */
export interface ObjectLine {
  readonly id: bigint;
  readonly collection: string;
  readonly code: string;
  readonly species: string | null;
  readonly status: string | null;
  readonly bornAt: string;
  readonly objectClass: string;
  readonly axisFamily: string | null;
  readonly lifecycleStatus: string | null;
  readonly inventoryKey: string;
  /** Whether verdicts of its own are kept, or its group answers for it. */
  readonly representedBy: 'object' | 'group';
  readonly owners: readonly ScopeOwner[];
}

export interface ObjectPage {
  readonly objects: readonly ObjectLine[];
  readonly next: string | null;
}

export interface GroupFilter {
  readonly collection?: string;
  readonly objectClass?: string;
  /** Accountable in one scope at least. */
  readonly owner?: string;
  readonly limit?: number;
  readonly after?: string;
}

/** One inventory group. */
export interface GroupLine {
  readonly inventoryKey: string;
  readonly collection: string;
  readonly objectClass: string;
  readonly axisFamily: string | null;
  readonly lifecycleStatus: string | null;
  /** Why its class or registry cannot be resolved; null: it can. */
  readonly unresolved: string | null;
  /** Whether the group represents its members: then it is one unit, however many they are. */
  readonly inherits: boolean;
  /** What the intake has recorded, for people; null: not yet. `Objects.count` counts. */
  readonly recordedMembers: bigint | null;
  readonly recordedUnits: bigint | null;
  readonly recordIsCurrent: boolean;
  readonly firstSeenAt: string;
  readonly owners: readonly ScopeOwner[];
}

export interface GroupPage {
  readonly groups: readonly GroupLine[];
  readonly next: string | null;
}

const READ_ONLY = { isolation: 'repeatable read', readOnly: true } as const;
const SMALLEST_ID = -9_223_372_036_854_775_808n;
/** Births that are read at a time while those of another class are left out. */
const MOST_AT_ONCE = 5_000;

type GroupRow = RowOf<typeof pageGroups>;

async function readGroup(tx: Transaction, inventoryKey: string): Promise<GroupRow> {
  const nothing = { collection: null, objectClass: null, owner: null };
  const [row] = await tx.run(pageGroups, { after: '', inventoryKey, ...nothing, limit: 1n });
  if (row === undefined) throw objectErrors.group_unknown(`there is no inventory group \`${inventoryKey}\``);
  return row;
}

/** The owners of each group, by its key. */
async function ownersOf(
  tx: Transaction,
  inventoryKeys: readonly string[],
): Promise<ReadonlyMap<string, readonly ScopeOwner[]>> {
  const owners = new Map<string, ScopeOwner[]>();
  for (const { inventory_key: key, scope, owner_scope: owner } of await tx.run(readOwners, { inventoryKeys }))
    owners.set(key, [...(owners.get(key) ?? []), { scope, owner }]);
  return owners;
}

interface Asked {
  readonly conditions: {
    readonly collection: string | null;
    readonly status: string | null;
    readonly byLifecycle: boolean;
    readonly inherits: boolean;
    readonly lifecycleStatus: string | null;
  };
  readonly map: ClassMap;
  /** The group of a birth, if the filter asks for it. */
  groupOf(place: Place): InventoryGroup | undefined;
}

async function askedBy(tx: Transaction, filter: ObjectFilter): Promise<Asked> {
  const { collection, status, group } = filter;
  if (collection !== undefined || status !== undefined) {
    const rows = await tx.run(listDimensions, {});
    if (collection !== undefined)
      requireKnown(collection, { what: 'collection', known: rows.map((row) => row.source_registry) });
    if (status !== undefined && !(await tx.one(hasStatus, { status })).found)
      throw unknownName(status, { what: 'status', known: rows.flatMap((row) => row.lifecycle_status ?? []) });
  }
  const one = group === undefined ? undefined : await readGroup(tx, group);
  const map = await readClassMap(tx, tx.schema);
  /** A page has thousands of births in a few places. */
  const places = new Map<string, InventoryGroup>();
  const elsewhere = collection !== undefined && one !== undefined && collection !== one.source_registry;
  return {
    conditions: {
      collection: one?.source_registry ?? collection ?? null,
      status: status ?? null,
      byLifecycle: one !== undefined,
      inherits: one?.inherits ?? false,
      lifecycleStatus: one?.lifecycle_status ?? null,
    },
    map,
    groupOf: (place) => {
      const { collection_name: name, species_code: species, status: own, member_status: member } = place;
      const key = JSON.stringify([name, species, own, member]);
      const found = places.get(key) ?? groupOf(map, place);
      places.set(key, found);
      return elsewhere || (group !== undefined && found.key !== group) ? undefined : found;
    },
  };
}

type BirthRow = RowOf<typeof pageBirths>;
type Placed = readonly [row: BirthRow, group: InventoryGroup];

async function linesOf(tx: Transaction, placed: readonly Placed[]): Promise<readonly ObjectLine[]> {
  const owners = await ownersOf(tx, [...new Set(placed.map(([, group]) => group.key))]);
  const own = new Map<number, ScopeOwner[]>();
  const keys = {
    collections: placed.map(([row]) => row.collection_name),
    codes: placed.map(([row]) => row.entity_code),
  };
  for (const { no, scope, owner_scope: owner } of await tx.run(readOwnRows, keys))
    own.set(no, [...(own.get(no) ?? []), { scope, owner }]);
  return placed.map(([row, group], index) => ({
    id: row.id,
    collection: row.collection_name,
    code: row.entity_code,
    species: row.species_code,
    status: row.status,
    bornAt: row.born_at,
    objectClass: group.objectClass,
    axisFamily: group.axisFamily,
    lifecycleStatus: group.lifecycleStatus,
    inventoryKey: group.key,
    representedBy: own.has(index + 1) ? 'object' : 'group',
    owners: own.get(index + 1) ?? owners.get(group.key) ?? [],
  }));
}

const groupLine = (row: GroupRow, owners: readonly ScopeOwner[]): GroupLine => ({
  inventoryKey: row.inventory_key,
  collection: row.source_registry,
  objectClass: row.object_class,
  axisFamily: row.axis_family,
  lifecycleStatus: row.lifecycle_status,
  unresolved: row.unresolved_reason,
  inherits: row.inherits,
  recordedMembers: row.member_count,
  recordedUnits: row.grain_count,
  recordIsCurrent: !row.recompute_needed,
  firstSeenAt: row.first_seen_at,
  owners,
});

/** The read operations on births and groups. */
export class Objects {
  readonly #db: Database;
  readonly #installation: Installation;

  /** @internal */
  constructor(db: Database, installation: Installation) {
    this.#db = db;
    this.#installation = installation;
  }

  /** Births in the order of their ids, with class, group and owners. */
  async list(filter: ObjectFilter = {}): Promise<ObjectPage> {
    await this.#installation.requireInstalled();
    const limit = requireLimit(filter.limit ?? 50);
    const [begin] = readCursor(filter.after, [/^-?\d{1,19}$/]) ?? [];
    return this.#db.transaction(READ_ONLY, async (tx) => {
      const asked = await askedBy(tx, filter);
      const page = fillParts(pageBirths, { members: memberStatusTable(asked.map) });
      const placed: Placed[] = [];
      for (let after = begin === undefined ? SMALLEST_ID : BigInt(begin); placed.length <= limit; ) {
        // One more than the page has. If other classes of the collection are left out, there may be more.
        const atOnce = filter.group === undefined ? limit + 1 - placed.length : MOST_AT_ONCE;
        const rows = await tx.run(page, { ...asked.conditions, after, limit: BigInt(atOnce) });
        for (const row of rows) {
          const group = asked.groupOf(row);
          if (group !== undefined) placed.push([row, group]);
        }
        const last = rows.at(-1);
        if (last === undefined || rows.length < atOnce) break;
        after = last.id;
      }
      const objects = await linesOf(tx, placed.slice(0, limit));
      const last = objects.at(-1);
      const next = placed.length > limit && last !== undefined ? pageCursor([String(last.id)]) : null;
      return { objects, next };
    });
  }

  /** How many births `list` has, over all pages, by collection: one pass over the births of the filter. */
  async count(filter: Omit<ObjectFilter, 'limit' | 'after'> = {}): Promise<ReadonlyMap<string, bigint>> {
    await this.#installation.requireInstalled();
    return this.#db.transaction(READ_ONLY, async (tx) => {
      const asked = await askedBy(tx, filter);
      const counting = fillParts(countBirths, { members: memberStatusTable(asked.map) });
      const counts = new Map<string, bigint>();
      for (const row of await tx.run(counting, { ...asked.conditions, individual: asked.map.individual }))
        if (asked.groupOf(row) !== undefined)
          counts.set(row.collection_name, (counts.get(row.collection_name) ?? 0n) + row.births);
      return counts;
    });
  }

  /** Inventory groups, by key. */
  async groups(filter: GroupFilter = {}): Promise<GroupPage> {
    await this.#installation.requireInstalled();
    const limit = requireLimit(filter.limit ?? 50);
    const { collection = null, objectClass = null, owner = null } = filter;
    const [after = ''] = readCursor(filter.after, [/^/]) ?? [];
    return this.#db.transaction(READ_ONLY, async (tx) => {
      const dimensions = collection === null && objectClass === null ? [] : await tx.run(listDimensions, {});
      if (collection !== null)
        requireKnown(collection, { what: 'collection', known: dimensions.map((row) => row.source_registry) });
      if (objectClass !== null)
        requireKnown(objectClass, { what: 'class', known: dimensions.map((row) => row.object_class) });
      if (owner !== null) await requireOwner(tx, owner);
      const of = { after, inventoryKey: null, collection, objectClass, owner };
      const rows = await tx.run(pageGroups, { ...of, limit: BigInt(limit) + 1n });
      const shown = rows.slice(0, limit);
      const owners = await ownersOf(
        tx,
        shown.map((row) => row.inventory_key),
      );
      const last = shown.at(-1);
      return {
        groups: shown.map((row) => groupLine(row, owners.get(row.inventory_key) ?? [])),
        next: rows.length > limit && last !== undefined ? pageCursor([last.inventory_key]) : null,
      };
    });
  }

  /** One inventory group. */
  async group(inventoryKey: string): Promise<GroupLine> {
    await this.#installation.requireInstalled();
    return this.#db.transaction(READ_ONLY, async (tx) => {
      const row = await readGroup(tx, inventoryKey);
      return groupLine(row, (await ownersOf(tx, [inventoryKey])).get(inventoryKey) ?? []);
    });
  }
}
