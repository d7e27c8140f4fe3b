export {
  type ClassMap,
  type MemberRegistry,
  readAxisClasses,
  readClassMap,
  type UnresolvedReason,
} from './class-map.js';
export { groupKey, type InventoryDimensions, inventoryKey } from './key.js';
export { hasMembers, memberTable } from './members.js';
export { groupModule } from './module.js';
export {
  activeScopes,
  type InventoryGroup,
  ONLY_SCOPE,
  readKnownGroups,
  refreshGroups,
  refreshInventory,
} from './refresh.js';
