// Owns looking at candidates: the rows of groups and objects with whether they hold at a point in time, their history, and the
// way from an object to the group that speaks for it. Nothing here decides anything.
import { type Shape, type Statement, statement, type Transaction, type Values } from '../../../db/index.js';
import {
  type ClassMap,
  groupOf,
  type InventoryGroup,
  type MemberRegistry,
  memberTable,
  statusRegistries,
} from '../../../inventory/index.js';
import type { ObjectKey } from '../../input/index.js';
import type { Verdict } from '../precedence.js';
import birthsSql from './births.sql.js';
import groupsSql from './groups.sql.js';
import historySql from './history.sql.js';
import objectsSql from './objects.sql.js';

const PLACE = {
  group_key: 'text',
  inventory_key: 'text',
  scope: 'text',
  owner_scope: 'text?',
  object_class: 'text',
  source_registry: 'text',
  axis_family: 'text?',
  lifecycle_status: 'text?',
  inherits: 'bool',
} as const;
const BELIEF = {
  ruleset_version: 'text',
  source_snapshot_ref: 'int8',
  snapshot_at: 'timestamptz?',
  scan_time: 'timestamptz',
  stale_after: 'timestamptz',
  candidate_verdict: 'text',
  verdict_line: 'int2',
  evidence: 'jsonb',
  input_quality_state: 'text?',
  dirty: 'bool',
  dirty_reason: 'text?',
  dirtied_at: 'timestamptz?',
  depends_on: 'jsonb',
  recompute_status: 'text',
  risk_class: 'text',
  coverage_required: 'bool',
  coverage_outcome: 'text?',
  coverage_scan_ref: 'text?',
  coverage_evidence: 'jsonb?',
  weight: 'int2',
  input_hash: 'text',
  carried_from: 'text?',
  last_run_id: 'text',
  row_state: 'text',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  valid: 'bool',
  invalid_reason: 'text?',
} as const;

const readGroups = statement({
  name: 'candidate.read_groups',
  sql: groupsSql,
  params: { groupKeys: 'text[]?', inventoryKeys: 'text[]?', scope: 'text?', past: 'bool', at: 'timestamptz' },
  columns: { row_id: 'int8', ...PLACE, ...BELIEF },
});
const readObjects = statement({
  name: 'candidate.read_objects',
  sql: objectsSql,
  params: {
    collections: 'text[]?',
    codes: 'text[]?',
    inventoryKeys: 'text[]?',
    past: 'bool',
    at: 'timestamptz',
  },
  columns: {
    row_id: 'int8',
    collection_name: 'text',
    entity_code: 'text',
    materialization_reason: 'text',
    reasons: 'text[]',
    birth_id: 'int8?',
    ...PLACE,
    ...BELIEF,
  },
});
const readHistoryRows = statement({
  name: 'candidate.read_history',
  sql: historySql,
  params: { rowIds: 'int8[]', limit: 'int8' },
  columns: {
    history_id: 'int8',
    row_id: 'int8',
    group_key: 'text',
    collection_name: 'text?',
    entity_code: 'text?',
    scope: 'text',
    ruleset_version: 'text',
    source_snapshot_ref: 'int8',
    scan_time: 'timestamptz',
    verdict_before: 'text?',
    verdict_after: 'text',
    outcome_before: 'text?',
    outcome_after: 'text?',
    verdict_line: 'int2',
    cause: 'text',
    run_id: 'text',
    recorded_at: 'timestamptz',
  },
});

const BIRTH_PARAMS = { collection: 'text', code: 'text' } as const;
const BIRTH_COLUMNS = {
  id: 'int8',
  species_code: 'text?',
  status: 'text?',
  born_at: 'timestamptz',
  member_status: 'text?',
  listed: 'bool',
} as const;
const readBirths = (
  registries: readonly MemberRegistry[],
): Statement<typeof BIRTH_PARAMS, typeof BIRTH_COLUMNS> =>
  statement({
    name: 'candidate.read_births',
    sql: birthsSql.replace('{{members}}', () => memberTable(registries)),
    params: BIRTH_PARAMS,
    columns: BIRTH_COLUMNS,
  });

export const readStatements = [readGroups, readObjects, readHistoryRows, readBirths([])];

type Camel<S extends string> = S extends `${infer A}_${infer B}` ? `${A}${Capitalize<Camel<B>>}` : S;
type CamelRow<S extends Shape> = { readonly [K in keyof S & string as Camel<K>]: Values<S>[K] };

/** One required link: what became of it, and by what. */
export interface LinkEvidence {
  readonly state: 'resolved' | 'missing' | 'conflict' | 'excepted' | 'unknown';
  /** What it resolved to. */
  readonly ref?: string;
  /** Where that was found: `object`, `collection` or `class` of an owner; `ownership`, `registry` or `executor` of others. */
  readonly via?: string;
  /** The exception that accepts its absence. */
  readonly exception?: string;
  /** The tool that executes it, where it is about authority. */
  readonly tool?: string;
}
export interface CoverageEvidence {
  readonly links?: Readonly<Record<string, LinkEvidence>>;
  /** Of a group whose objects count one by one: how many came to what. */
  readonly objects?: Readonly<Record<string, number>>;
}

/** What the columns of both tables say, in camel case; json parsed. */
interface Parsed {
  readonly candidateVerdict: Verdict;
  readonly rowState: 'active' | 'superseded' | 'retired';
  readonly evidence: Readonly<Record<string, unknown>>;
  readonly dependsOn: Readonly<Record<string, readonly string[]>>;
  /** What coverage was found from; null where nobody has looked. */
  readonly coverageEvidence: CoverageEvidence | null;
}
/** `valid` and `invalidReason` are of the time asked for; a row that is not live is never valid. */
export type GroupRow = Omit<CamelRow<typeof readGroups.columns>, keyof Parsed> & Parsed;
export type ObjectRow = Omit<CamelRow<typeof readObjects.columns>, keyof Parsed> & Parsed;
export type HistoryRow = CamelRow<typeof readHistoryRows.columns>;

const camel = (name: string): string =>
  name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

const JSON_COLUMNS: ReadonlySet<string> = new Set(['evidence', 'depends_on', 'coverage_evidence']);

function asRow(row: Readonly<Record<string, unknown>>): unknown {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      camel(name),
      JSON_COLUMNS.has(name) && value !== null ? (JSON.parse(String(value)) as unknown) : value,
    ]),
  );
}

export interface GroupFilter {
  readonly groupKeys?: readonly string[];
  readonly inventoryKeys?: readonly string[];
  readonly scope?: string;
  /** Superseded rows, too. */
  readonly past?: boolean;
  /** When the rows are asked to hold. */
  readonly at: string;
}

/** Rows of groups, by inventory group and scope. */
export async function readGroupRows(tx: Transaction, filter: GroupFilter): Promise<readonly GroupRow[]> {
  const { groupKeys = null, inventoryKeys = null, scope = null, past = false, at } = filter;
  return (await tx.run(readGroups, { groupKeys, inventoryKeys, scope, past, at })).map(asRow) as GroupRow[];
}

export interface ObjectFilter {
  readonly keys?: readonly ObjectKey[];
  readonly inventoryKeys?: readonly string[];
  readonly past?: boolean;
  readonly at: string;
}

/** Rows of single objects, by object and scope. */
export async function readObjectRows(tx: Transaction, filter: ObjectFilter): Promise<readonly ObjectRow[]> {
  const { keys, inventoryKeys = null, past = false, at } = filter;
  const collections = keys?.map((key) => key.collection) ?? null;
  const codes = keys?.map((key) => key.code) ?? null;
  return (await tx.run(readObjects, { collections, codes, inventoryKeys, past, at })).map(
    asRow,
  ) as ObjectRow[];
}

/** What was believed of these rows, newest first. */
export async function readHistory(
  tx: Transaction,
  rowIds: readonly bigint[],
  limit = 50,
): Promise<readonly HistoryRow[]> {
  return (await tx.run(readHistoryRows, { rowIds, limit: BigInt(limit) })).map(asRow) as HistoryRow[];
}

/** What a verdict reads as: itself while it holds; unknown without its rules or its snapshot; otherwise stale. */
export function readsAs(
  row: Pick<GroupRow, 'candidateVerdict' | 'valid' | 'invalidReason'>,
): Verdict | 'stale' {
  if (row.valid) return row.candidateVerdict;
  return row.invalidReason === 'snapshot_gone' || row.invalidReason === 'ruleset_not_active'
    ? 'unknown'
    : 'stale';
}

export interface Birth {
  readonly id: bigint;
  readonly bornAt: string;
  readonly species: string | null;
  readonly status: string | null;
  /** Whether the member registry lists it; meaningless where the class has none. */
  readonly listed: boolean;
  readonly group: InventoryGroup;
}

export interface Candidate {
  /** All births of the key, the one that counts first; none where it was never born. */
  readonly births: readonly Birth[];
  /** The rows of its own, if it has any. */
  readonly own: readonly ObjectRow[];
  /** The rows of the inventory group it is in, which speak for it in every scope where it has none of its own. */
  readonly groups: readonly GroupRow[];
}

/** One object: its births, its own rows and those of its group. An object nobody knows has none of these. */
export async function readCandidate(
  tx: Transaction,
  key: ObjectKey & { readonly map: ClassMap; readonly at: string },
): Promise<Candidate> {
  const { collection, code, map, at } = key;
  const rows = await tx.run(readBirths(statusRegistries(map)), { collection, code });
  const births = rows.map((row) => ({
    id: row.id,
    bornAt: row.born_at,
    species: row.species_code,
    status: row.status,
    listed: row.listed,
    group: groupOf(map, { collection_name: collection, ...row }),
  }));
  const own = await readObjectRows(tx, { keys: [{ collection, code }], at });
  const inventoryKey = births[0]?.group.key ?? own[0]?.inventoryKey;
  const groups =
    inventoryKey === undefined ? [] : await readGroupRows(tx, { inventoryKeys: [inventoryKey], at });
  return { births, own, groups };
}
