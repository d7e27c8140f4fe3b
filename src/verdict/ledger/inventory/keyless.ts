// Owns the name under which the ledger counts births without a key. They belong to no inventory group, so
// that each of them is a unit without evidence.
import { type InventoryGroup, inventoryKey } from '../../../inventory/group/index.js';

const DIMENSIONS = {
  objectClass: 'without_key',
  sourceRegistry: 'birth_registry',
  axisFamily: null,
  lifecycleStatus: null,
} as const;

export const KEYLESS: InventoryGroup = {
  ...DIMENSIONS,
  key: inventoryKey(DIMENSIONS),
  inherits: false,
  unresolved: null,
};
