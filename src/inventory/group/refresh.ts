// Owns the rows of groups: one per inventory group, and one per inventory group and responsibility scope with
// its accountable owner. Groups are added and updated. INVARIANT: no group is deleted.
import type { Transaction } from '../../db/index.js';
import {
  hasComponent,
  type RulesetContent,
  readRulesInForce,
  resolveOwners,
  rowsOf,
} from '../../host/index.js';
import type { UnresolvedReason } from './class-map.js';
import { readInventoryRows, upsertGroups, upsertInventory } from './group.sql.js';
import { groupKey, type InventoryDimensions } from './key.js';

export interface InventoryGroup extends InventoryDimensions {
  readonly key: string;
  readonly inherits: boolean;
  readonly unresolved: UnresolvedReason | null;
}

export interface RefreshedGroups {
  readonly scopes: readonly string[];
  readonly inventoryGroups: { readonly created: number; readonly changed: number };
  readonly groups: { readonly created: number; readonly changed: number };
}

/** The single scope of rules without scopes. Nothing that depends on owners is evaluated in it. */
export const ONLY_SCOPE = 'all';

/** The responsibility scopes of a ruleset. */
export function scopesIn(content: RulesetContent): readonly string[] {
  if (!hasComponent(content, 'scopes')) return [ONLY_SCOPE];
  return rowsOf(content, 'scopes').map((row) => String(row['scope_code']));
}

/** The responsibility scopes in force. */
export async function activeScopes(tx: Transaction): Promise<readonly string[]> {
  return scopesIn(await readRulesInForce(tx));
}

function countOf(rows: readonly { readonly created: boolean }[]): { created: number; changed: number } {
  const created = rows.filter((row) => row.created).length;
  return { created, changed: rows.length - created };
}

/** Writes the groups of `inventory` as of `at`, in three statements for any number of groups. */
export async function refreshGroups(
  tx: Transaction,
  inventory: readonly InventoryGroup[],
  at: string,
): Promise<RefreshedGroups> {
  const scopes = await activeScopes(tx);
  const saved = await tx.run(upsertInventory, {
    keys: inventory.map((group) => group.key),
    objectClasses: inventory.map((group) => group.objectClass),
    sourceRegistries: inventory.map((group) => group.sourceRegistry),
    axisFamilies: inventory.map((group) => group.axisFamily),
    lifecycleStatuses: inventory.map((group) => group.lifecycleStatus),
    reasons: inventory.map((group) => group.unresolved),
    inherits: inventory.map((group) => group.inherits),
    at,
  });
  const pairs = inventory.flatMap((group) => scopes.map((scope) => ({ group, scope })));
  const { owners } = await resolveOwners(
    tx,
    pairs.map(({ group, scope }) => ({
      // The group itself is never the subject of an ownership row: its owner comes from the collection or the
      // class.
      objectType: 'inventory_group',
      objectRef: group.key,
      collection: group.sourceRegistry,
      objectClass: group.objectClass,
      scope,
    })),
    at,
  );
  const rows = pairs.map(({ group, scope }, index) => {
    const owner = owners[index];
    return {
      key: groupKey({ ...group, scope, ownerScope: owner?.owner ?? null }),
      inventoryKey: group.key,
      scope,
      owner: owner?.owner ?? null,
      anchor: owner === undefined || owner.level === 'none' ? null : owner.level,
    };
  });
  const written = await tx.run(upsertGroups, {
    keys: rows.map((row) => row.key),
    inventoryKeys: rows.map((row) => row.inventoryKey),
    scopes: rows.map((row) => row.scope),
    owners: rows.map((row) => row.owner),
    anchors: rows.map((row) => row.anchor),
  });
  return {
    scopes,
    inventoryGroups: countOf(saved),
    groups: countOf(written),
  };
}

/** A stored group with its member count; null: not counted yet. */
export interface KnownGroup extends InventoryGroup {
  readonly memberCount: bigint | null;
}

/** All inventory groups ever stored. */
export async function readKnownGroups(tx: Transaction): Promise<readonly KnownGroup[]> {
  return (await tx.run(readInventoryRows, {})).map((row) => ({
    key: row.inventory_key,
    objectClass: row.object_class,
    sourceRegistry: row.source_registry,
    axisFamily: row.axis_family,
    lifecycleStatus: row.lifecycle_status,
    unresolved: row.unresolved_reason as UnresolvedReason | null,
    inherits: row.inherits,
    memberCount: row.member_count,
  }));
}

/** Updates the owners of all groups: owners change without any birth. */
export async function refreshInventory(tx: Transaction, at: string): Promise<RefreshedGroups> {
  return refreshGroups(tx, await readKnownGroups(tx), at);
}
