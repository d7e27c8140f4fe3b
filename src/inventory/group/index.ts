export {
  axisClasses,
  type ClassMap,
  type MemberRegistry,
  readClassMap,
  SUPERSEDED,
  type UnresolvedReason,
} from './class-map.js';
export { groupKey, type InventoryDimensions, inventoryKey } from './key.js';
export { hasLifecycle, hasMembers, memberTable } from './members.js';
export { groupModule } from './module.js';
export {
  activeScopes,
  type InventoryGroup,
  ONLY_SCOPE,
  readKnownGroups,
  refreshGroups,
  refreshInventory,
  scopesIn,
} from './refresh.js';
