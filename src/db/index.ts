export { dbModule } from './base-module.js';
export type { CopyRow } from './copy.js';
export { Database, type DatabaseOptions } from './database.js';
export { type Binaries, findBinaries } from './embedded/binaries.js';
export { embeddedErrors } from './embedded/errors.js';
export { openRole } from './embedded/role-login.js';
export { EmbeddedServer, type EmbeddedStatus } from './embedded/server.js';
export {
  cancelledBy,
  dbErrors,
  isConnectionLoss,
  isSerializationFailure,
  sqlstateOf,
} from './errors.js';
export type { SchemaDefinition } from './migration/definition.js';

export { type DeclaredFunction, declaredFunctions } from './migration/function.js';
export { type Grant, type HostGrants, missingGrants } from './migration/grant.js';
export {
  checkInstall,
  type InstallOptions,
  type InstallResult,
  installFiles,
  installSchema,
  type SchemaFiles,
} from './migration/install.js';
export type { Extension, Migration } from './migration/migration.js';
export { OWNER_NAMES, ROLE_NAMES, roleOf } from './migration/role.js';
export { LOCK_SQL as SCHEMA_LOCK_SQL } from './migration/script.js';
export type { AppliedMigration } from './migration/state.js';
export { readSchemaState, requireCurrent, type SchemaState } from './migration/state.js';
export { type UninstallOptions, uninstallFile, uninstallSchema } from './migration/uninstall.js';
export { type UpgradeResult, upgradeFile, upgradeSchema } from './migration/upgrade.js';
export { defineModule, type Module, scriptsOf } from './module.js';
export { momentTime } from './moment.js';
export {
  type Probed,
  Prober,
} from './probe.js';
export { quoteIdentifier, quoteLiteral } from './quote.js';
export { type CamelRow, camelRow } from './row.js';
export { readRowVersions } from './row-versions.js';
export { dumpSchema } from './schema-dump/schema-dump.js';
export { readServerTime } from './server-time.js';
export { libpqEnvironment, runStatements, type SessionTarget, type StatementResult } from './session.js';
export {
  type ChangedBy,
  defineSetting,
  parseSetting,
  RULE_PREFIXES,
  readSetting,
  type Setting,
  settingErrors,
  settingRowsSql,
} from './setting.js';
export {
  fillParts,
  type ParamsOf,
  type RowOf,
  type Statement,
  statement,
  type Template,
} from './statement.js';
export { fillTemplate } from './template.js';
export type { Transaction, TransactionOptions } from './transaction.js';
