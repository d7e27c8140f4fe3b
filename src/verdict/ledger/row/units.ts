// Owns the list of units: for each scope, each term and each cause of the ledger, the units that it counts,
// in pages. INVARIANT: it has as many lines as the ledger counts, because both use the same conditions.
import { fillParts, type ParamsOf, type RowOf, type Transaction } from '../../../db/index.js';
import { requireOwner } from '../../../host/index.js';
import { activeScopes, type ClassMap, readClassMap } from '../../../inventory/group/index.js';
import { groupOf } from '../../../inventory/snapshot/index.js';
import { pageCursor, readCursor, requireKnown, requireLimit } from '../../../kernel/index.js';
import { KEYLESS } from '../inventory/keyless.js';
import { memberRegistries, memberTable } from '../member-table.js';
import { TERMS, type Term } from './terms.js';
import {
  hasGroup,
  listDimensions,
  pageFailedUnits,
  pageGroupUnits,
  pageKeyless,
  pageObjectUnits,
} from './units.sql.js';

/** Every cause of a term. */
const CAUSES = [
  ...['expired', 'dirty', 'ruleset_not_active', 'snapshot_gone', 'recompute_failed'],
  ...['unknown', 'needs_input', 'not_evaluated', 'exception_lapsed', 'exception_granted'],
  ...['dead_lettered', 'waiting_for_retry', 'key_missing', 'unborn', 'future_scope', 'tombstone'],
];

export interface UnitFilter {
  readonly scope?: string;
  /** A term of the ledger, or `total`: all of them but not_relevant. */
  readonly term?: Term | 'total';
  readonly cause?: string;
  readonly owner?: string;
  /** Only units for which no owner is accountable, or more than one. */
  readonly unowned?: boolean;
  readonly collection?: string;
  readonly objectClass?: string;
  /** The key of an inventory group. */
  readonly group?: string;
  readonly limit?: number;
  /** `next` of the previous page. */
  readonly after?: string;
}

/** One unit in one scope. */
export interface UnitLine {
  /** A container, an object with a row of its own, or a birth that could not be processed. */
  readonly kind: 'group' | 'object' | 'birth';
  readonly scope: string;
  readonly term: Term;
  readonly cause: string | null;
  readonly collection: string | null;
  /** Null for a container. */
  readonly code: string | null;
  readonly birthId: bigint | null;
  readonly inventoryKey: string;
  readonly objectClass: string;
  readonly axisFamily: string | null;
  readonly lifecycleStatus: string | null;
  readonly owner: string | null;
  /** Null where nothing was evaluated. */
  readonly riskClass: string | null;
  readonly verdict: string | null;
  readonly verdictLine: number | null;
  readonly coverageOutcome: string | null;
  readonly scanTime: string | null;
  readonly staleAfter: string | null;
}

export interface UnitPage {
  readonly units: readonly UnitLine[];
  /** The `after` of the next page; null if this is the last page. */
  readonly next: string | null;
}

/** Throws if a value of the filter does not exist. */
async function requireFilter(tx: Transaction, filter: UnitFilter, scopes: readonly string[]): Promise<void> {
  const { scope, term, cause, owner, collection, objectClass, group } = filter;
  if (scope !== undefined) requireKnown(scope, { what: 'scope', known: scopes });
  if (term !== undefined) requireKnown(term, { what: 'term', known: [...TERMS, 'total'] });
  if (cause !== undefined) requireKnown(cause, { what: 'cause', known: CAUSES });
  if (owner !== undefined) await requireOwner(tx, owner);
  if (group !== undefined && !(await tx.one(hasGroup, { inventoryKey: group })).found)
    requireKnown(group, { what: 'group', known: [], more: '`GET /api/v1/groups` lists all of them' });
  if (collection === undefined && objectClass === undefined) return;
  const rows = [...(await tx.run(listDimensions, {})), ...[KEYLESS].map(keylessDimensions)];
  if (collection !== undefined)
    requireKnown(collection, { what: 'collection', known: rows.map((row) => row.source_registry) });
  if (objectClass !== undefined)
    requireKnown(objectClass, { what: 'class', known: rows.map((row) => row.object_class) });
}
const keylessDimensions = (of: typeof KEYLESS) => ({
  source_registry: of.sourceRegistry,
  object_class: of.objectClass,
});

type Conditions = Omit<ParamsOf<typeof pageGroupUnits>, 'afterKey' | 'afterScope' | 'limit'>;
type Key = readonly string[];
interface Found {
  /** What follows it in the order of its part. */
  readonly key: Key;
  /** Undefined: it counts elsewhere. */
  readonly unit: UnitLine | undefined;
}
interface Context {
  readonly tx: Transaction;
  readonly of: Conditions;
  /** Read once, and only for births without a row. */
  map(): Promise<ClassMap>;
}
type Part = (context: Context, after: Key, limit: bigint) => Promise<readonly Found[]>;

type Judged = RowOf<typeof pageGroupUnits> | RowOf<typeof pageObjectUnits>;
const judgedOf = (row: Judged) => ({
  scope: row.scope,
  term: row.term as Term,
  cause: row.cause === '' ? null : row.cause,
  collection: row.source_registry,
  inventoryKey: row.inventory_key,
  objectClass: row.object_class,
  axisFamily: row.axis_family,
  lifecycleStatus: row.lifecycle_status,
  owner: row.owner_scope,
  riskClass: row.risk_class,
  verdict: row.candidate_verdict,
  verdictLine: row.verdict_line,
  coverageOutcome: row.coverage_outcome,
  scanTime: row.scan_time,
  staleAfter: row.stale_after,
});

const groups: Part = async ({ tx, of }, [afterKey = '', afterScope = ''], limit) =>
  (await tx.run(pageGroupUnits, { ...of, afterKey, afterScope, limit })).map((row) => ({
    key: [row.inventory_key, row.scope],
    unit: { kind: 'group', ...judgedOf(row), code: null, birthId: null },
  }));

const objects: Part = async ({ tx, of }, [afterKey = '', afterScope = ''], limit) =>
  (await tx.run(pageObjectUnits, { ...of, afterKey, afterScope, limit })).map((row) => ({
    key: [row.object_key, row.scope],
    unit: {
      kind: 'object',
      ...judgedOf(row),
      collection: row.collection_name,
      code: row.entity_code,
      birthId: row.birth_id,
    },
  }));

const UNEVALUATED = {
  ...{ owner: null, riskClass: null, verdict: null, verdictLine: null, coverageOutcome: null },
  ...{ scanTime: null, staleAfter: null },
};

/** Whether a birth without a row has what the filter asks for. */
function isAsked(unit: UnitLine, of: Conditions): boolean {
  const is = (wanted: string | null, ...found: readonly (string | null)[]) =>
    wanted === null || found.includes(wanted);
  return (
    of.owner === null &&
    is(of.term, unit.term, 'total') &&
    is(of.cause, unit.cause) &&
    is(of.inventoryKey, unit.inventoryKey) &&
    is(of.objectClass, unit.objectClass) &&
    is(of.collection, unit.inventoryKey === KEYLESS.key ? KEYLESS.sourceRegistry : unit.collection)
  );
}

const SMALLEST_ID = '-9223372036854775808';
const failed: Part = async ({ tx, of, map }, [afterId = SMALLEST_ID, afterScope = ''], limit) => {
  const found = await map();
  if (found.individual.length === 0) return [];
  const members = memberTable(memberRegistries(found));
  const rows = await tx.run(fillParts(pageFailedUnits, { members }), {
    collections: found.individual,
    scopes: of.scopes,
    afterId: BigInt(afterId),
    afterScope,
    limit,
  });
  return rows.map((row): Found => {
    const group = groupOf(found, row);
    const unit: UnitLine = {
      kind: 'birth',
      scope: row.scope,
      term: 'unverified',
      cause: row.dead ? 'dead_lettered' : 'waiting_for_retry',
      collection: row.collection_name,
      code: row.entity_code,
      birthId: row.birth_id,
      inventoryKey: group.key,
      objectClass: group.objectClass,
      axisFamily: group.axisFamily,
      lifecycleStatus: group.lifecycleStatus,
      ...UNEVALUATED,
    };
    const counts = !group.inherits && isAsked(unit, of);
    return { key: [String(row.birth_id), row.scope], unit: counts ? unit : undefined };
  });
};

const keyless: Part = async (
  { tx, of },
  [afterTable = '0', afterPlace = '(0,0)', afterScope = ''],
  limit,
) => {
  const rows = await tx.run(pageKeyless, {
    scopes: of.scopes,
    afterTable: BigInt(afterTable),
    afterPlace,
    afterScope,
    limit,
  });
  return rows.map((row): Found => {
    const unit: UnitLine = {
      kind: 'birth',
      scope: row.scope,
      term: 'unverified',
      cause: 'key_missing',
      collection: row.collection_name,
      code: row.entity_code,
      birthId: row.birth_id,
      inventoryKey: KEYLESS.key,
      objectClass: KEYLESS.objectClass,
      axisFamily: null,
      lifecycleStatus: null,
      ...UNEVALUATED,
    };
    const key = [String(row.table_id), row.place, row.scope];
    return { key, unit: isAsked(unit, of) ? unit : undefined };
  });
};

/** In this order; a page may end in one and the next begin in another. */
const PARTS: readonly Part[] = [groups, objects, failed, keyless];
/** What a cursor holds: the number of the part, and the key of the last line in it. */
const CURSORS = [
  [/^[01]$/, /^/, /^/],
  [/^2$/, /^-?\d{1,18}$/, /^/],
  [/^3$/, /^\d{1,10}$/, /^\(\d{1,10},\d{1,5}\)$/, /^/],
];

/** One page of the units of the filter, at `at`. */
export async function pageUnits(tx: Transaction, at: string, filter: UnitFilter): Promise<UnitPage> {
  const limit = requireLimit(filter.limit ?? 50);
  const scopes = await activeScopes(tx);
  await requireFilter(tx, filter, scopes);
  const { scope, term = null, cause = null, owner = null, collection = null, objectClass = null } = filter;
  const of: Conditions = {
    at,
    scopes: scope === undefined ? scopes : [scope],
    ...{ term, cause, owner, collection, objectClass, inventoryKey: filter.group ?? null },
    unowned: filter.unowned ?? false,
  };
  let map: Promise<ClassMap> | undefined;
  const context: Context = {
    tx,
    of,
    map: () => {
      map ??= readClassMap(tx, tx.schema);
      return map;
    },
  };
  const [first = '0', ...rest] = readCursor(filter.after, ...CURSORS) ?? [];
  let [part, after]: [number, Key] = [Number(first), rest];
  const units: { readonly unit: UnitLine; readonly place: readonly string[] }[] = [];
  // One more than the page has, so that the last page is known to be the last.
  while (part < PARTS.length && units.length <= limit) {
    const missing = limit + 1 - units.length;
    const found = (await PARTS[part]?.(context, after, BigInt(missing))) ?? [];
    for (const { key, unit } of found)
      if (unit !== undefined) units.push({ unit, place: [String(part), ...key] });
    const last = found.at(-1);
    [part, after] = found.length < missing || last === undefined ? [part + 1, []] : [part, last.key];
  }
  const shown = units.slice(0, limit);
  const place = units.length > limit ? shown.at(-1)?.place : undefined;
  return {
    units: shown.map(({ unit }) => unit),
    next: place === undefined ? null : pageCursor(place),
  };
}
