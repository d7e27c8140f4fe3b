// Owns marking verdicts dirty: exactly the rows whose `depends_on` names what changed, with a reason and a time, and nothing else.
import { statement, type Transaction } from '../../db/index.js';
import markDirtySql from './mark-dirty.sql.js';

const mark = statement({
  name: 'candidate.mark_dirty',
  sql: markDirtySql,
  params: {
    inventoryKeys: 'text[]?',
    scopes: 'text[]?',
    axisFamilies: 'text[]?',
    collections: 'text[]?',
    owners: 'text[]?',
    classPatterns: 'text[]?',
    reason: 'text',
    at: 'timestamptz',
  },
  columns: {
    group_key: 'text?',
    inventory_key: 'text?',
    scope: 'text?',
    fresh: 'bool',
    matched: 'int8',
    objects: 'int8',
  },
});

export const dirtyStatements = [mark];

/** What changed. Every kind that is given must match, by any of its values; a class pattern is a class or a LIKE pattern. */
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
  /** All groups that depend on it. */
  readonly hits: readonly DirtyGroup[];
  /** Groups that depend on it, dirty before or not. */
  readonly matched: number;
  /** Rows of single objects that were clean before. */
  readonly objects: number;
}

/** Marks what depends on `where`. Nothing given means everything: that must be said with an empty object. */
export async function markDirty(
  tx: Transaction,
  options: { readonly reason: string; readonly at: string; readonly where: DirtyWhere },
): Promise<Dirtied> {
  const { reason, at, where } = options;
  const rows = await tx.run(mark, {
    inventoryKeys: where.inventoryKeys ?? null,
    scopes: where.scopes ?? null,
    axisFamilies: where.axisFamilies ?? null,
    collections: where.collections ?? null,
    owners: where.owners ?? null,
    classPatterns: where.classPatterns ?? null,
    reason,
    at,
  });
  const hits = rows.flatMap((row) =>
    row.group_key === null || row.inventory_key === null || row.scope === null
      ? []
      : [{ groupKey: row.group_key, inventoryKey: row.inventory_key, scope: row.scope, fresh: row.fresh }],
  );
  const plain = ({ groupKey, inventoryKey, scope }: DirtyGroup) => ({ groupKey, inventoryKey, scope });
  return {
    groups: hits.filter((each) => each.fresh).map(plain),
    hits: hits.map(plain),
    matched: Number(rows[0]?.matched ?? 0n),
    objects: Number(rows[0]?.objects ?? 0n),
  };
}
