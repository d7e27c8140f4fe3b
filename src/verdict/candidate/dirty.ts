// Owns marking verdicts dirty: exactly the rows whose `depends_on` names a changed value, with a reason and a
// time.

import type { Transaction } from '../../db/index.js';
import { defineStage, type StageContract } from '../../kernel/index.js';
import type { ObjectKey } from '../input/index.js';
import { dependents, mark, markKeys, markObjects, markThese } from './dirty.sql.js';

/** A group may have more objects than one statement can mark within the statement timeout. */
const OBJECTS_AT_ONCE = 20_000;

/**
 * The changed values. Every given kind must match by at least one of its values. A class pattern is a class
 * name or a LIKE pattern.
 */
export interface DirtyWhere {
  readonly inventoryKeys?: readonly string[];
  readonly scopes?: readonly string[];
  readonly axisFamilies?: readonly string[];
  readonly collections?: readonly string[];
  readonly owners?: readonly string[];
  readonly classPatterns?: readonly string[];
}

export interface DirtyGroup {
  readonly groupKey: string;
  readonly inventoryKey: string;
  readonly scope: string;
}

export interface Dirtied {
  /** The groups that were clean before, by inventory group and scope. */
  readonly groups: readonly DirtyGroup[];
  /** All groups that depend on the values. */
  readonly hits: readonly DirtyGroup[];
  /** The number of groups that depend on the values, dirty before or not. */
  readonly matched: number;
  /** Rows of single objects that were marked. */
  readonly objects: number;
}

const MARKS: StageContract = {
  name: 'marks',
  takes: 'what changed, as dimensions of groups, with a reason and a time',
  returns: 'the groups that depend on it, and which of them were clean',
  writes: 'governance_candidate_state, governance_candidate_object',
  promises: 'exactly the verdicts whose depends_on names the change are dirty; marking again changes nothing',
};

const valuesOf = (where: DirtyWhere) => ({
  inventoryKeys: where.inventoryKeys ?? null,
  scopes: where.scopes ?? null,
  axisFamilies: where.axisFamilies ?? null,
  collections: where.collections ?? null,
  owners: where.owners ?? null,
  classPatterns: where.classPatterns ?? null,
});

const groupOf = (row: {
  readonly group_key: string;
  readonly inventory_key: string;
  readonly scope: string;
}): DirtyGroup => ({ groupKey: row.group_key, inventoryKey: row.inventory_key, scope: row.scope });

/** The groups that depend on `where`; marks nothing. */
export async function readDependents(tx: Transaction, where: DirtyWhere): Promise<readonly DirtyGroup[]> {
  return (await tx.run(dependents, valuesOf(where))).map(groupOf);
}

/** Marks the objects of `hits`, and those that depend on `where` themselves; returns how many. */
async function markMembers(
  tx: Transaction,
  hits: readonly DirtyGroup[],
  options: {
    readonly reason: string;
    readonly at: string;
    readonly where: DirtyWhere;
    readonly atOnce: number;
  },
): Promise<bigint> {
  const { reason, at, where } = options;
  const about = {
    ...{ ...valuesOf(where), reason, at },
    hitKeys: hits.map((each) => each.inventoryKey),
    hitScopes: hits.map((each) => each.scope),
  };
  const limit = BigInt(options.atOnce);
  let objects = 0n;
  for (let after: bigint | null = 0n; after !== null; ) {
    const part: { objects: bigint; last_id: bigint | null } = await tx.one(markObjects, {
      ...{ ...about, after, limit },
    });
    objects += part.objects;
    after = part.objects < limit ? null : part.last_id;
  }
  return objects;
}

/** Marks the rows of these objects; returns how many. */
async function markNamed(
  tx: Transaction,
  keys: readonly ObjectKey[],
  { reason, at, atOnce }: { readonly reason: string; readonly at: string; readonly atOnce: number },
): Promise<bigint> {
  let objects = 0n;
  for (let from = 0; from < keys.length; from += atOnce) {
    const part = keys.slice(from, from + atOnce);
    const marked = await tx.one(markKeys, {
      collections: part.map((key) => key.collection),
      codes: part.map((key) => key.code),
      ...{ reason, at },
    });
    objects += marked.objects;
  }
  return objects;
}

/** Marks the rows that depend on `where`. An empty object means every row. */
export const markDirty = defineStage(
  MARKS,
  async (
    tx: Transaction,
    options: {
      readonly reason: string;
      readonly at: string;
      readonly where: DirtyWhere;
      /**
       * The objects that the change is about, if it can affect no other: the rest of their group stays valid,
       * and the row of the group says that it moved. Default: all objects of the groups.
       */
      readonly objects?: readonly ObjectKey[];
      /** How many objects one statement marks. */
      readonly objectsAtOnce?: number;
    },
  ): Promise<Dirtied> => {
    const { reason, at, where, objects: named, objectsAtOnce: atOnce = OBJECTS_AT_ONCE } = options;
    const rows = await tx.run(mark, { ...valuesOf(where), reason, at });
    const hits = rows.map(groupOf);
    const objects =
      named === undefined
        ? await markMembers(tx, hits, { reason, at, where, atOnce })
        : await markNamed(tx, named, { reason, at, atOnce });
    return {
      groups: hits.filter((_, index) => rows[index]?.fresh),
      hits,
      matched: hits.length,
      objects: Number(objects),
    };
  },
  ({ matched, groups, objects }) => ({ matched, groups: groups.length, objects }),
);

/** Marks single rows, each with its own reason; returns how many rows were marked. */
export async function markRows(
  tx: Transaction,
  rows: readonly { readonly rowId: bigint; readonly reason: string }[],
  at: string,
): Promise<bigint> {
  if (rows.length === 0) return 0n;
  const { marked } = await tx.one(markThese, {
    rowIds: rows.map((row) => row.rowId),
    reasons: rows.map((row) => row.reason),
    at,
  });
  return marked;
}
