import floorDownSql from './floor.down.sql.js';
import floorSql from './floor.sql.js';

import type { Migration } from './migration.js';

export type { SchemaDefinition } from './definition.js';
export { schemaErrors } from './errors.js';
export { type Grant, type HostGrants, missingGrants } from './grant.js';
export {
  type InstallOptions,
  type InstallResult,
  installFiles,
  installSchema,
  type SchemaFiles,
} from './install.js';
export { checksumOf, type Extension, type Migration } from './migration.js';
export { ROLE_NAMES, type RoleName, roleOf } from './role.js';
export { readSchemaState, requireCurrent, type SchemaState } from './state.js';
export { type UninstallOptions, uninstallFile, uninstallSchema } from './uninstall.js';
export { upgradeFile, upgradeSchema } from './upgrade.js';

/** This room's own tables: what is installed, and the settings. Everything else stands on them. */
export const floorMigration: Migration = { id: 1, name: 'floor', up: floorSql, down: floorDownSql };
