export {
  type ClassMap,
  type MemberRegistry,
  type ObjectClass,
  readAxisClasses,
  readClassMap,
  UNRESOLVED_CLASS,
  type UnresolvedReason,
} from './class-map.js';
export { type GroupDimensions, groupKey, type InventoryDimensions, inventoryKey } from './key.js';
export { hasMembers, memberTable } from './members.js';
export { groupModule } from './module.js';
export {
  activeScopes,
  type InventoryGroup,
  type KnownGroup,
  ONLY_SCOPE,
  type RefreshedGroups,
  readKnownGroups,
  refreshGroups,
  refreshInventory,
} from './refresh.js';
