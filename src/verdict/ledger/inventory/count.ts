// Owns the left side of the ledger: what there is, counted plainly at the grain, per inventory group. It shares no statement
// with the rows it is compared with, nor with the fingerprints; it reads no table of candidates.
import { type Statement, statement, type Transaction } from '../../../db/index.js';
import {
  type ClassMap,
  groupOf,
  type InventoryGroup,
  type MemberRegistry,
  walkRanges,
} from '../../../inventory/index.js';
import { memberRegistries, withMembers } from '../member-table.js';
import boundsSql from './bounds.sql.js';
import containersSql from './containers.sql.js';
import keysSql from './keys.sql.js';
import unbornSql from './unborn.sql.js';

const readBounds = statement({
  name: 'ledger.bounds',
  sql: boundsSql,
  params: {},
  columns: { first_id: 'int8?', last_id: 'int8?' },
});

const countContainers = statement({
  name: 'ledger.containers',
  sql: containersSql,
  params: { first: 'int8', last: 'int8' },
  columns: { collection_name: 'text', species_code: 'text?', status: 'text?', births: 'int8' },
});

const KEY_PARAMS = { first: 'int8', last: 'int8', collections: 'text[]' } as const;
const KEY_COLUMNS = {
  collection_name: 'text',
  species_code: 'text?',
  status: 'text?',
  member_status: 'text?',
  units: 'int8',
  keys: 'numeric',
} as const;

function countKeys(registries: readonly MemberRegistry[]): Statement<typeof KEY_PARAMS, typeof KEY_COLUMNS> {
  return statement({
    name: 'ledger.keys',
    sql: withMembers(keysSql, registries),
    params: KEY_PARAMS,
    columns: KEY_COLUMNS,
  });
}

const UNBORN_PARAMS = { registries: 'text[]' } as const;
const UNBORN_COLUMNS = {
  collection_name: 'text',
  member_status: 'text?',
  units: 'int8',
  keys: 'numeric',
} as const;

function countUnborn(
  registries: readonly MemberRegistry[],
): Statement<typeof UNBORN_PARAMS, typeof UNBORN_COLUMNS> {
  return statement({
    name: 'ledger.unborn',
    sql: withMembers(unbornSql, registries),
    params: UNBORN_PARAMS,
    columns: UNBORN_COLUMNS,
  });
}

export const countStatements = [readBounds, countContainers, countKeys([]), countUnborn([])];

export interface GroupCount {
  readonly group: InventoryGroup;
  /** 1 for a container that has members; otherwise its keys, born and unborn. */
  readonly units: bigint;
  /** The sum of the hashes of those keys: two errors of one each do not cancel out in it. */
  readonly keys: bigint;
  readonly unborn: bigint;
}

export interface InventoryCount {
  /** By inventory key. */
  readonly groups: ReadonlyMap<string, GroupCount>;
  readonly ranges: number;
}

export interface CountOptions {
  /** What one statement may take, as set for the transaction. */
  readonly limitMs: number;
  /** How many ranges to begin with; one unless said otherwise. */
  readonly parts?: number;
  /** The groups that have members, where somebody has just read that in this very snapshot; otherwise they are counted. */
  readonly groups?: readonly InventoryGroup[];
}

/** Counts the inventory at the grain, in the caller's repeatable-read transaction. */
export async function countInventory(
  tx: Transaction,
  map: ClassMap,
  options: CountOptions,
): Promise<InventoryCount> {
  const groups = new Map<string, GroupCount>();
  const add = (group: InventoryGroup, units: bigint, keys: bigint, unborn = 0n): void => {
    const before = groups.get(group.key);
    groups.set(group.key, {
      group,
      units: group.inherits ? 1n : units + (before?.units ?? 0n),
      keys: keys + (before?.keys ?? 0n),
      unborn: unborn + (before?.unborn ?? 0n),
    });
  };
  const registries = memberRegistries(map);
  const keysOf = countKeys(registries);
  const { first_id: first, last_id: last } = await tx.one(readBounds, {});
  const collections = map.individual;
  // Room to hash the keys of classes that do not inherit, however many there are of them.
  await tx.script("set local work_mem = '64MB'");
  const ranges =
    first === null || last === null
      ? 0
      : await walkRanges(tx, { first, last }, options, async (range) => {
          const containers = options.groups === undefined ? await tx.run(countContainers, range) : [];
          const single = collections.length === 0 ? [] : await tx.run(keysOf, { ...range, collections });
          return () => {
            for (const row of containers) {
              const group = groupOf(map, row);
              if (group.inherits) add(group, 1n, 0n);
            }
            for (const row of single) {
              const group = groupOf(map, row);
              if (!group.inherits) add(group, row.units, BigInt(row.keys));
            }
          };
        });
  for (const group of options.groups ?? []) if (group.inherits) add(group, 1n, 0n);
  const unborn = await tx.run(countUnborn(registries), { registries: registries.map(({ name }) => name) });
  for (const row of unborn) {
    const group = groupOf(map, { ...row, species_code: null, status: null });
    if (!group.inherits) add(group, row.units, BigInt(row.keys), row.units);
  }
  return { groups, ranges };
}
