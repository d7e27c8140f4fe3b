// Owns the right side of the ledger: what every unit is believed to be at a point in time. Each counts exactly once per
// scope; what does not hold, or was never looked at, counts as unverified, with the reason.
import { type Statement, statement, type Transaction } from '../../../db/index.js';
import {
  type ClassMap,
  groupOf,
  type InventoryDimensions,
  type MemberRegistry,
} from '../../../inventory/index.js';
import { memberRegistries, withMembers } from '../member-table.js';
import duplicatesSql from './duplicates.sql.js';
import failedSql from './failed.sql.js';
import termsSql from './terms.sql.js';

const readTermRows = statement({
  name: 'ledger.terms',
  sql: termsSql,
  params: { at: 'timestamptz', owner: 'text?' },
  columns: {
    scope: 'text',
    inventory_key: 'text',
    object_class: 'text',
    source_registry: 'text',
    axis_family: 'text?',
    lifecycle_status: 'text?',
    term: 'text',
    cause: 'text',
    units: 'int8',
    keys: 'numeric',
  },
});

const FAILED_PARAMS = { collections: 'text[]', scopes: 'text[]' } as const;
const FAILED_COLUMNS = {
  scope: 'text',
  collection_name: 'text',
  species_code: 'text?',
  status: 'text?',
  member_status: 'text?',
  dead: 'bool',
  units: 'int8',
  keys: 'numeric',
} as const;

function readFailed(
  registries: readonly MemberRegistry[],
): Statement<typeof FAILED_PARAMS, typeof FAILED_COLUMNS> {
  return statement({
    name: 'ledger.failed',
    sql: withMembers(failedSql, registries),
    params: FAILED_PARAMS,
    columns: FAILED_COLUMNS,
  });
}

const countDuplicates = statement({
  name: 'ledger.duplicates',
  sql: duplicatesSql,
  params: {},
  columns: { scope: 'text', duplicates: 'int8' },
});

export const termStatements = [readTermRows, readFailed([]), countDuplicates];

export type Term =
  | 'covered'
  | 'orphans'
  | 'exceptions'
  | 'retired'
  | 'unverified'
  | 'deferred_birth'
  | 'class_0'
  | 'not_relevant';

/** The term of one unit that holds, as the statement has it; undefined: it is none. */
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
  /** Why unverified; `tombstone` among the retired; `unborn` or `future_scope` among the deferred; else empty. */
  readonly cause: string;
  readonly units: bigint;
  readonly keys: bigint;
}

/** What the rows, or those of one owner, say at `at`, per scope, inventory group, term and cause, in one statement. */
export async function readTerms(
  tx: Transaction,
  at: string,
  owner: string | null = null,
): Promise<readonly TermCount[]> {
  const rows = await tx.withoutNestedLoops(() => tx.run(readTermRows, { at, owner }));
  return rows.map((row) => ({
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
    units: row.units,
    keys: BigInt(row.keys),
  }));
}

/** Objects without a row because they could not be processed: known, named, and unverified. */
export async function readFailedUnits(
  tx: Transaction,
  map: ClassMap,
  scopes: readonly string[],
): Promise<readonly TermCount[]> {
  if (map.individual.length === 0) return [];
  const rows = await tx.run(readFailed(memberRegistries(map)), { collections: map.individual, scopes });
  return rows.flatMap((row) => {
    const group = groupOf(map, row);
    return group.inherits
      ? []
      : [
          {
            scope: row.scope,
            inventoryKey: group.key,
            dimensions: group,
            term: 'unverified' as const,
            cause: row.dead ? 'dead_lettered' : 'waiting_for_retry',
            units: row.units,
            keys: BigInt(row.keys),
          },
        ];
  });
}

/** Scope → live rows too many. */
export async function readDuplicates(tx: Transaction): Promise<ReadonlyMap<string, bigint>> {
  return new Map((await tx.run(countDuplicates, {})).map((row) => [row.scope, row.duplicates]));
}
