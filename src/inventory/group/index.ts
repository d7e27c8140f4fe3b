import type { Migration } from '../../db/index.js';
import { profileSettingsDownSql, profileSettingsSql } from '../../host/index.js';
import classMapSql from './class-map.sql.js';
import tablesDownSql from './tables.down.sql.js';
import tablesSql from './tables.sql.js';

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
export { groupStatements } from './statements.js';

export const groupMigration: Migration = {
  id: 8,
  name: 'inventory',
  up: `${profileSettingsSql}\n${tablesSql}\n${classMapSql}`,
  down: `${tablesDownSql}\n${profileSettingsDownSql}`,
};
