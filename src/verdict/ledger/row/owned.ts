// Owns the units by owner: the terms of each inventory group in one scope, and those of each owner in every
// scope. INVARIANT: the same units as in the ledger; a unit that could not be processed has no owner.
import type { Transaction } from '../../../db/index.js';
import { activeScopes, readClassMap } from '../../../inventory/group/index.js';
import { requireKnown } from '../../../kernel/index.js';
import { walkObjectRows } from '../../candidate/index.js';
import { readLargestGroups, readOwnedTerms } from './owned.sql.js';
import { readFailedUnits, type Term } from './terms.js';

/** Units by term; terms without units are left out. */
export type TermNumbers = Readonly<Partial<Record<Term, number>>>;

/** The units of one owner in one scope. */
export interface OwnedTerms {
  readonly scope: string;
  /** Null: no owner is accountable, or more than one. */
  readonly owner: string | null;
  readonly terms: TermNumbers;
}

/** One inventory group, and the units that it is in one scope. */
export interface MappedGroup {
  readonly inventoryKey: string;
  readonly collection: string;
  readonly objectClass: string;
  readonly axisFamily: string | null;
  readonly lifecycleStatus: string | null;
  /** Why its class or registry cannot be resolved; null: it can. */
  readonly unresolved: string | null;
  /** Whether the group represents its members: then it is one unit, however many they are. */
  readonly inherits: boolean;
  /** As the intake recorded them; null: not yet. */
  readonly recordedMembers: bigint | null;
  /** Its units by owner; empty: it has none in this scope. */
  readonly owners: readonly Omit<OwnedTerms, 'scope'>[];
}

export interface EstateMap {
  readonly scope: string;
  /** Every scope that has a map. */
  readonly scopes: readonly string[];
  /** The groups with the most members, the largest first. */
  readonly groups: readonly MappedGroup[];
  /** The groups that are smaller than all of these. */
  readonly smaller: { readonly groups: number; readonly recordedMembers: bigint };
}

interface Count {
  readonly scope: string;
  readonly inventoryKey: string;
  readonly owner: string | null;
  readonly term: Term;
  readonly units: number;
}

/** The units by scope, inventory group, owner and term. */
async function countOwned(tx: Transaction, at: string, scopes: readonly string[]): Promise<readonly Count[]> {
  const counts: Count[] = [];
  const only = scopes.length === 1 ? (scopes[0] ?? null) : null;
  await walkObjectRows(tx, undefined, async ({ first, last, isFirst }) => {
    const rows = await tx.run(readOwnedTerms, { at, scope: only, first, last, withGroups: isFirst });
    return () => {
      for (const { scope, inventory_key, owner_scope, term, units } of rows)
        counts.push({
          scope,
          inventoryKey: inventory_key,
          owner: owner_scope,
          term: term as Term,
          units: Number(units),
        });
    };
  });
  for (const each of await readFailedUnits(tx, await readClassMap(tx, tx.schema), scopes))
    counts.push({ ...each, owner: null, units: Number(each.units) });
  return counts.filter(({ scope }) => scopes.includes(scope));
}

/** Adds up the counts of one scope and owner. */
function addOwned(counts: readonly Count[]): readonly OwnedTerms[] {
  const found = new Map<
    string,
    { scope: string; owner: string | null; terms: Partial<Record<Term, number>> }
  >();
  for (const { scope, owner, term, units } of counts) {
    const name = JSON.stringify([scope, owner]);
    const sum = found.get(name) ?? { scope, owner, terms: {} };
    sum.terms[term] = (sum.terms[term] ?? 0) + units;
    found.set(name, sum);
  }
  return [...found.values()].sort(byOwner);
}

/** By name; units without an owner come last. */
const byOwner = (left: OwnedTerms, right: OwnedTerms): number =>
  (left.owner ?? '\uffff') < (right.owner ?? '\uffff') ? -1 : 1;

/** The units of every owner in every scope, at `at`. */
export async function readOwners(tx: Transaction, at: string): Promise<readonly OwnedTerms[]> {
  return addOwned(await countOwned(tx, at, await activeScopes(tx)));
}

/** The largest groups with their units in one scope, at `at`. */
export async function readMap(
  tx: Transaction,
  at: string,
  options: { readonly scope?: string; readonly limit: number },
): Promise<EstateMap> {
  const scopes = await activeScopes(tx);
  const scope = options.scope ?? scopes[0] ?? '';
  if (options.scope !== undefined) requireKnown(scope, { what: 'scope', known: scopes });
  const counts = new Map<string, Count[]>();
  for (const each of await countOwned(tx, at, scopes.length === 0 ? [] : [scope]))
    counts.set(each.inventoryKey, [...(counts.get(each.inventoryKey) ?? []), each]);
  const rows = await tx.run(readLargestGroups, { limit: BigInt(options.limit) });
  const [first] = rows;
  const shown = rows.reduce((sum, { member_count }) => sum + (member_count ?? 0n), 0n);
  return {
    scope,
    scopes,
    groups: rows.map((row) => ({
      inventoryKey: row.inventory_key,
      collection: row.source_registry,
      objectClass: row.object_class,
      axisFamily: row.axis_family,
      lifecycleStatus: row.lifecycle_status,
      unresolved: row.unresolved_reason,
      inherits: row.inherits,
      recordedMembers: row.member_count,
      owners: addOwned(counts.get(row.inventory_key) ?? []).map(({ owner, terms }) => ({ owner, terms })),
    })),
    smaller: {
      groups: Number(first?.groups ?? 0n) - rows.length,
      recordedMembers: (first?.members ?? 0n) - shown,
    },
  };
}
