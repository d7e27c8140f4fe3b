// Owns reading candidates: the rows of groups and objects with their validity at a point in time, their
// history, and the group that represents an object. Nothing here decides a verdict.
import { fillParts, type RowOf, type Transaction } from '../../../db/index.js';
import { type ClassMap, type InventoryGroup, memberTable } from '../../../inventory/group/index.js';
import { groupOf, statusRegistries } from '../../../inventory/snapshot/index.js';
import type { ObjectKey } from '../../input/index.js';
import type { Verdict } from '../precedence.js';
import { readBirths, readGroups, readHistoryRows, readObjects } from './read.sql.js';

type Camel<S extends string> = S extends `${infer A}_${infer B}` ? `${A}${Capitalize<Camel<B>>}` : S;
type CamelRow<R> = { readonly [K in keyof R & string as Camel<K>]: R[K] };

/** One required link: its state, and how it was resolved. */
export interface LinkEvidence {
  readonly state: 'resolved' | 'missing' | 'conflict' | 'excepted' | 'unknown';
  /** The reference it resolved to. */
  readonly ref?: string;
  /**
   * Where the reference was found: `object`, `collection` or `class` for an owner; `ownership`, `registry` or
   * `executor` for other links.
   */
  readonly via?: string;
  /** The exception that accepts the missing link. */
  readonly exception?: string;
  /** For dot_authority: the tool that executes the object. */
  readonly tool?: string;
}
interface CoverageEvidence {
  readonly links?: Readonly<Record<string, LinkEvidence>>;
  /** For a group whose objects count one by one: the number of objects per outcome. */
  readonly objects?: Readonly<Record<string, number>>;
}

/** The columns of both tables in camel case, with JSON parsed. */
interface Parsed {
  readonly candidateVerdict: Verdict;
  readonly rowState: 'active' | 'superseded' | 'retired';
  readonly evidence: Readonly<Record<string, unknown>>;
  readonly dependsOn: Readonly<Record<string, readonly string[]>>;
  /** The coverage evidence; null when coverage has not been evaluated. */
  readonly coverageEvidence: CoverageEvidence | null;
}
/** `valid` and `invalidReason` refer to the requested time; a row that is not live is never valid. */
export type GroupRow = Omit<CamelRow<RowOf<typeof readGroups>>, keyof Parsed> & Parsed;
export type ObjectRow = Omit<CamelRow<RowOf<typeof readObjects>>, keyof Parsed> & Parsed;
export type HistoryRow = CamelRow<RowOf<typeof readHistoryRows>>;

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
  /** Include superseded rows. */
  readonly past?: boolean;
  /** The time for which validity is computed. */
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

/** The history of these rows, newest first. */
export async function readHistory(
  tx: Transaction,
  rowIds: readonly bigint[],
  limit = 50,
): Promise<readonly HistoryRow[]> {
  return (await tx.run(readHistoryRows, { rowIds, limit: BigInt(limit) })).map(asRow) as HistoryRow[];
}

/**
 * The verdict shown to users: the stored one while valid; unknown without its ruleset or snapshot; otherwise
 * stale.
 */
export function readsAs(
  row: Pick<GroupRow, 'candidateVerdict' | 'valid' | 'invalidReason'>,
): Verdict | 'stale' {
  if (row.valid) return row.candidateVerdict;
  return row.invalidReason === 'snapshot_gone' || row.invalidReason === 'ruleset_not_active'
    ? 'unknown'
    : 'stale';
}

interface Birth {
  readonly id: bigint;
  readonly bornAt: string;
  readonly species: string | null;
  readonly status: string | null;
  /** Whether the member registry lists it; not meaningful for a class without a registry. */
  readonly listed: boolean;
  readonly group: InventoryGroup;
}

export interface Candidate {
  /** All births of the key, the one that counts first; empty when there is no birth. */
  readonly births: readonly Birth[];
  /** Its own rows, if any. */
  readonly own: readonly ObjectRow[];
  /** The rows of its inventory group, which represent it in every scope in which it has no row of its own. */
  readonly groups: readonly GroupRow[];
}

/** One object: its births, its own rows and those of its group. For an unknown object all three are empty. */
export async function readCandidate(
  tx: Transaction,
  key: ObjectKey & { readonly map: ClassMap; readonly at: string },
): Promise<Candidate> {
  const { collection, code, map, at } = key;
  const members = memberTable(statusRegistries(map));
  const rows = await tx.run(fillParts(readBirths, { members }), { collection, code });
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
