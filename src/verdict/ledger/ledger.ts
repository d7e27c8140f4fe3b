// Owns the ledger: per scope, the term of every unit, and whether the terms add up to the inventory. The
// ledger closes only if both sides agree in every inventory group. A ledger in which every unit is unverified
// also closes, so the verified share is part of it.
import type { Transaction } from '../../db/index.js';
import {
  type ClassMap,
  type InventoryDimensions,
  readClassMap,
  scopesIn,
} from '../../inventory/group/index.js';
import { type Caveat, type CaveatRule, caveatsOf, readCaveatRules } from './caveat.js';
import { countInventory, type GroupCount, type InventoryCount } from './inventory/count.js';
import { readDuplicates, readFailedUnits, readTerms, type Term, type TermCount } from './row/terms.js';

export interface GroupName {
  readonly inventoryKey: string;
  readonly objectClass: string;
  readonly sourceRegistry: string;
  readonly axisFamily: string | null;
  readonly lifecycleStatus: string | null;
}

export interface Difference {
  readonly group: GroupName;
  /** The inventory, tombstones included. */
  readonly left: number;
  /** The units in the rows. */
  readonly right: number;
  /** `keys`: the counts are equal, but the objects are not the same. */
  readonly differs: 'count' | 'keys';
}

/** The terms of one scope, in units. */
export interface ScopeTerms {
  readonly scope: string;
  readonly total: number;
  readonly covered: number;
  readonly orphans: number;
  readonly exceptions: number;
  readonly retired: number;
  readonly unverified: number;
  /**
   * Units by cause: validity reasons, `unknown`, `needs_input`, `not_evaluated`, `exception_lapsed`,
   * `exception_granted`, `dead_lettered`, `waiting_for_retry`, `key_missing`.
   */
  readonly unverifiedBy: Readonly<Record<string, number>>;
  readonly deferredBirth: number;
  /** `unborn`: a registry lists it, and it has no birth; `future_scope`: deferred by decision. */
  readonly deferredBy: Readonly<Record<string, number>>;
  /** The name of the verdict, in every form of GCOS's output. */
  readonly class_0: number;
  /** Outside the scope: not part of the total. */
  readonly notRelevant: number;
  /** Part of the retired: units whose source is gone. */
  readonly tombstones: number;
  /** (total − unverified) / total; null when the total is 0; 1 only if no unit is unverified. */
  readonly verifiedShare: number | null;
}

export interface ScopeLedger extends ScopeTerms {
  /** All units at the grain, tombstones included. INVARIANT: total + not_relevant equals it. */
  readonly inventory: number;
  readonly duplicates: number;
  readonly closes: boolean;
  /** How many inventory groups disagree. */
  readonly differing: number;
  /** The first of them, by name. */
  readonly differences: readonly Difference[];
  /**
   * Rows that the previous ledger accounted for and that were deleted since. A row written again is a
   * different row.
   */
  readonly gone: readonly GoneRows[];
}

export interface GoneRows {
  /** The name of the group; null for object rows, which are named by their collection. */
  readonly group: GroupName | null;
  readonly collection: string;
  readonly rows: number;
}

export interface Ledger {
  readonly at: string;
  readonly closes: boolean;
  readonly scopes: readonly ScopeLedger[];
  /** What its closing does not prove. */
  readonly caveats: readonly Caveat[];
}

export interface LedgerOptions {
  readonly schema: string;
  readonly at: string;
  readonly limitMs: number;
  /** The class map, if the caller has already read it in this transaction. */
  readonly map?: ClassMap;
}

/** How many differences are listed; all are counted. */
const NAMED = 100;
const NOTHING = { units: 0n, keys: 0n };

function countOf(units: bigint): number {
  const count = Number(units);
  if (!Number.isSafeInteger(count)) throw new RangeError(`a count of ${units} units`);
  return count;
}

const nameOf = (key: string, dimensions: InventoryDimensions): GroupName => ({
  inventoryKey: key,
  objectClass: dimensions.objectClass,
  sourceRegistry: dimensions.sourceRegistry,
  axisFamily: dimensions.axisFamily,
  lifecycleStatus: dimensions.lifecycleStatus,
});

/** Sorts by name, so that readers find a group. */
const byName = ({ group: left }: Difference, { group: right }: Difference): number => {
  const nameOf = (group: GroupName) =>
    [group.sourceRegistry, group.objectClass, group.axisFamily ?? '', group.lifecycleStatus ?? ''].join('\0');
  return nameOf(left) < nameOf(right) ? -1 : 1;
};

/** The groups in which the inventory and the rows disagree. */
function differencesOf(count: InventoryCount, terms: readonly TermCount[]): Difference[] {
  const right = new Map<
    string,
    { name: GroupName; units: bigint; keys: bigint; gone: { units: bigint; keys: bigint } }
  >();
  for (const each of terms) {
    const before = right.get(each.inventoryKey);
    const gone = each.cause === 'tombstone' ? each : NOTHING;
    right.set(each.inventoryKey, {
      name: nameOf(each.inventoryKey, each.dimensions),
      units: each.units + (before?.units ?? 0n),
      keys: each.keys + (before?.keys ?? 0n),
      gone: {
        units: gone.units + (before?.gone.units ?? 0n),
        keys: gone.keys + (before?.gone.keys ?? 0n),
      },
    });
  }
  return [...new Set([...count.groups.keys(), ...right.keys()])].flatMap((key): Difference[] => {
    const there: GroupCount | undefined = count.groups.get(key);
    const rows = right.get(key);
    const units = (there?.units ?? 0n) + (rows?.gone.units ?? 0n);
    const keys = (there?.keys ?? 0n) + (rows?.gone.keys ?? 0n);
    const sameCount = units === (rows?.units ?? 0n);
    if (sameCount && keys === (rows?.keys ?? 0n)) return [];
    const group = rows?.name ?? (there && nameOf(key, there.group));
    if (group === undefined) return [];
    return [
      {
        group,
        left: countOf(units),
        right: countOf(rows?.units ?? 0n),
        differs: sameCount ? 'keys' : 'count',
      },
    ];
  });
}

/** Rounded down: the share is 1 only if no unit is unverified. */
function shareOf(total: number, unverified: number): number | null {
  if (total === 0) return null;
  const share = (total - unverified) / total;
  return unverified > 0 ? Math.min(share, 1 - Number.EPSILON) : share;
}

function sumBy(terms: readonly TermCount[], matches: (each: TermCount) => boolean): number {
  return countOf(terms.filter(matches).reduce((sum, each) => sum + each.units, 0n));
}

function causesOf(terms: readonly TermCount[], term: Term): Record<string, number> {
  const causes = [...new Set(terms.filter((each) => each.term === term).map((each) => each.cause))].sort();
  return Object.fromEntries(
    causes.map((cause) => [cause, sumBy(terms, (each) => each.term === term && each.cause === cause)]),
  );
}

/** Adds up `terms`, all of one scope. */
export function addTerms(scope: string, terms: readonly TermCount[]): ScopeTerms {
  const of = (term: Term): number => sumBy(terms, (each) => each.term === term);
  const parts = {
    covered: of('covered'),
    orphans: of('orphans'),
    exceptions: of('exceptions'),
    retired: of('retired'),
    unverified: of('unverified'),
    deferredBirth: of('deferred_birth'),
    class_0: of('class_0'),
  };
  const total = Object.values(parts).reduce((sum, each) => sum + each, 0);
  return {
    scope,
    total,
    ...parts,
    unverifiedBy: causesOf(terms, 'unverified'),
    deferredBy: causesOf(terms, 'deferred_birth'),
    notRelevant: of('not_relevant'),
    tombstones: sumBy(terms, (each) => each.cause === 'tombstone'),
    verifiedShare: shareOf(total, parts.unverified),
  };
}

/** The verified share over several scopes: a unit counts once in each. */
export function shareVerified(scopes: readonly ScopeTerms[]): number | null {
  const sum = (of: (each: ScopeTerms) => number) => scopes.reduce((total, each) => total + of(each), 0);
  return shareOf(
    sum((each) => each.total),
    sum((each) => each.unverified),
  );
}

/** The ledger of one scope from both sides. */
function closeScope(
  scope: string,
  count: InventoryCount,
  terms: readonly TermCount[],
  duplicates: number,
): ScopeLedger {
  const added = addTerms(scope, terms);
  const there = countOf([...count.groups.values()].reduce((sum, each) => sum + each.units, 0n));
  const differences = differencesOf(count, terms).sort(byName);
  return {
    ...added,
    inventory: there + added.tombstones,
    duplicates,
    closes: differences.length === 0 && duplicates === 0,
    differing: differences.length,
    differences: differences.slice(0, NAMED),
    gone: [],
  };
}

const isClosed = (scopes: readonly ScopeLedger[]): boolean =>
  // Without a scope nothing was counted, so the ledger does not close.
  scopes.length > 0 && scopes.every((each) => each.closes);

/** The right side of the ledger: the rows, read in one snapshot. */
export interface RightSide {
  readonly at: string;
  readonly scopes: readonly string[];
  readonly terms: readonly TermCount[];
  /** Scope → surplus live rows. */
  readonly duplicates: ReadonlyMap<string, bigint>;
  /** Scope → rows that the previous ledger accounted for and that were deleted since. */
  readonly gone: ReadonlyMap<string, readonly GoneRows[]>;
  readonly caveats: readonly CaveatRule[];
}

/**
 * Reads the right side in the caller's repeatable-read transaction. A caller that has the previous ledger
 * passes `gone`.
 */
export async function readRight(
  tx: Transaction,
  options: { readonly at: string; readonly map: ClassMap; readonly gone?: RightSide['gone'] },
): Promise<RightSide> {
  const { at, map, gone = new Map() } = options;
  const scopes = scopesIn(map.content);
  const terms = [...(await readTerms(tx, at)), ...(await readFailedUnits(tx, map, scopes))];
  const caveats = await readCaveatRules(tx);
  return { at, scopes, terms, duplicates: await readDuplicates(tx), gone, caveats };
}

/** Combines both sides, which must be of one snapshot. A scope with deleted rows does not close. */
export function addUp(left: InventoryCount, right: RightSide): Ledger {
  const scopes = right.scopes.map((scope) => {
    const terms = right.terms.filter((each) => each.scope === scope);
    const gone = right.gone.get(scope) ?? [];
    const ledger = closeScope(scope, left, terms, countOf(right.duplicates.get(scope) ?? 0n));
    return { ...ledger, gone, closes: ledger.closes && gone.length === 0 };
  });
  const there = [...left.groups.values()].map(({ group, units }) => ({ ...group, units }));
  return { at: right.at, closes: isClosed(scopes), scopes, caveats: caveatsOf(right.caveats, there) };
}

/** Counts both sides in the caller's repeatable-read transaction. Writes nothing. */
export async function computeLedger(
  tx: Transaction,
  options: LedgerOptions & { readonly gone?: RightSide['gone'] },
): Promise<Ledger> {
  const map = options.map ?? (await readClassMap(tx, options.schema));
  const left = await countInventory(tx, map, { limitMs: options.limitMs });
  return addUp(left, await readRight(tx, { ...options, map }));
}
