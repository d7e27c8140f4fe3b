// Owns the keys of groups: hashes of their dimensions, with an explicit marker for absent values. INVARIANT:
// different dimensions give different keys, and a key carries no other information.
import { canonicalJson, domainHash } from '../../kernel/index.js';

export interface InventoryDimensions {
  readonly objectClass: string;
  readonly sourceRegistry: string;
  readonly axisFamily: string | null;
  readonly lifecycleStatus: string | null;
}

export interface GroupDimensions extends InventoryDimensions {
  readonly scope: string;
  readonly ownerScope: string | null;
}

const KEY_DIGITS = 32;

function keyOf(domain: string, values: readonly (string | null)[]): string {
  return domainHash(domain, canonicalJson(values)).slice(0, KEY_DIGITS);
}

export function inventoryKey(dimensions: InventoryDimensions): string {
  const { objectClass, sourceRegistry, axisFamily, lifecycleStatus } = dimensions;
  return keyOf('gcos-inventory-group', [objectClass, sourceRegistry, axisFamily, lifecycleStatus]);
}

export function groupKey(dimensions: GroupDimensions): string {
  const { objectClass, sourceRegistry, axisFamily, scope, lifecycleStatus, ownerScope } = dimensions;
  return keyOf('gcos-group', [objectClass, sourceRegistry, axisFamily, scope, lifecycleStatus, ownerScope]);
}
