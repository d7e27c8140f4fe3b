// Owns the right side of the ledger: the term of every unit at a point in time. Each unit counts exactly once
// per scope. A unit whose verdict is not valid, or that was never evaluated, counts as unverified, with the
// reason.
import { fillParts, type RowOf, type Transaction } from '../../../db/index.js';
import type { ClassMap, InventoryDimensions } from '../../../inventory/group/index.js';
import { groupOf, walkRanges } from '../../../inventory/snapshot/index.js';
import { walkObjectRows } from '../../candidate/index.js';
import { KEYLESS } from '../inventory/keyless.js';
import { memberRegistries, memberTable } from '../member-table.js';
import { countDuplicates, readFailed, readKeyless, readTermRows } from './terms.sql.js';

export const TERMS = [
  'covered',
  'orphans',
  'exceptions',
  'retired',
  'unverified',
  'deferred_birth',
  'class_0',
  'not_relevant',
] as const;
export type Term = (typeof TERMS)[number];

/**
 * The term of one unit with a valid verdict, as in the statement readTermRows; undefined: it is not a unit.
 */
export function termOf(unit: {
  readonly weight: number;
  readonly over: boolean;
  readonly tombstone: boolean;
  readonly verdict: string;
  readonly outcome: string | null;
}): Term | undefined {
  if (unit.weight !== 1 || (unit.over && !unit.tombstone)) return undefined;
  if (unit.tombstone) return 'retired';
  if (unit.verdict === 'unknown' || unit.verdict === 'needs_input') return 'unverified';
  if (unit.verdict !== 'relevant') return unit.verdict as Term;
  return OUTCOME_TERMS[unit.outcome ?? ''] ?? 'unverified';
}
const OUTCOME_TERMS: Readonly<Record<string, Term>> = {
  covered: 'covered',
  orphan: 'orphans',
  exception: 'exceptions',
};

export interface TermCount {
  readonly scope: string;
  readonly inventoryKey: string;
  readonly dimensions: InventoryDimensions;
  readonly term: Term;
  /**
   * Why it is unverified; `tombstone` for retired units; `unborn` or `future_scope` for deferred ones;
   * otherwise empty.
   */
  readonly cause: string;
  readonly units: bigint;
  readonly keys: bigint;
}

/**
 * The terms of all rows, or of those of one owner, at `at`, per scope, inventory group, term and cause.
 * `parts`: in how many ranges the rows are read at first.
 */
export async function readTerms(
  tx: Transaction,
  at: string,
  options: { readonly owner?: string; readonly parts?: number } = {},
): Promise<readonly TermCount[]> {
  const { owner = null, parts } = options;
  const found = new Map<string, TermCount>();
  await walkObjectRows(tx, parts, async ({ first, last, isFirst }) => {
    const rows = await tx.run(readTermRows, { at, owner, first, last, withGroups: isFirst });
    return () => {
      for (const row of rows) {
        const name = JSON.stringify([row.scope, row.inventory_key, row.term, row.cause]);
        const { units = 0n, keys = 0n } = found.get(name) ?? {};
        found.set(name, { ...countOf(row), units: units + row.units, keys: keys + BigInt(row.keys) });
      }
    };
  });
  return [...found.values()];
}

const countOf = (row: RowOf<typeof readTermRows>): Omit<TermCount, 'units' | 'keys'> => ({
  scope: row.scope,
  inventoryKey: row.inventory_key,
  dimensions: {
    objectClass: row.object_class,
    sourceRegistry: row.source_registry,
    axisFamily: row.axis_family,
    lifecycleStatus: row.lifecycle_status,
  },
  term: row.term as Term,
  cause: row.cause,
});

/** Births without a key, in each of `scopes`. */
async function readKeylessUnits(tx: Transaction, scopes: readonly string[]): Promise<readonly TermCount[]> {
  const { units } = await tx.one(readKeyless, {});
  if (units === 0n) return [];
  return scopes.map((scope) => ({
    scope,
    inventoryKey: KEYLESS.key,
    dimensions: KEYLESS,
    term: 'unverified' as const,
    cause: 'key_missing',
    units,
    keys: 0n,
  }));
}

/** Objects without a row because they could not be processed: counted as unverified. */
export async function readFailedUnits(
  tx: Transaction,
  map: ClassMap,
  scopes: readonly string[],
): Promise<readonly TermCount[]> {
  const keyless = await readKeylessUnits(tx, scopes);
  if (map.individual.length === 0) return keyless;
  const members = memberTable(memberRegistries(map));
  const rows = await tx.run(fillParts(readFailed, { members }), { collections: map.individual, scopes });
  const failed = rows.flatMap((row): TermCount[] => {
    const group = groupOf(map, row);
    if (group.inherits) return [];
    return [
      {
        scope: row.scope,
        inventoryKey: group.key,
        dimensions: group,
        term: 'unverified',
        cause: row.dead ? 'dead_lettered' : 'waiting_for_retry',
        units: row.units,
        keys: BigInt(row.keys),
      },
    ];
  });
  return [...failed, ...keyless];
}

/** All values of the hash by which objects are divided for the search for surplus rows. */
const HASHES = { first: 0n, last: 65_535n };

/** Scope → surplus live rows. `parts`: in how many ranges of hashes they are searched at first. */
export async function readDuplicates(tx: Transaction, parts = 1): Promise<ReadonlyMap<string, bigint>> {
  const found = new Map<string, bigint>();
  await walkRanges(tx, HASHES, { limitMs: tx.statementTimeoutMs, parts }, async (range) => {
    const rows = await tx.run(countDuplicates, { ...range, withGroups: range.first === HASHES.first });
    return () => {
      for (const { scope, duplicates } of rows) found.set(scope, (found.get(scope) ?? 0n) + duplicates);
    };
  });
  return found;
}
