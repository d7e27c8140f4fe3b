export { Database, type DatabaseOptions } from './database.js';
export {
  type Binaries,
  EmbeddedServer,
  type EmbeddedStatus,
  embeddedErrors,
  findBinaries,
  openReader,
} from './embedded/index.js';
export {
  cancelledBy,
  dbErrors,
  isConnectionLoss,
  isSerializationFailure,
  sqlstateOf,
  translateError,
} from './errors.js';
export {
  checksumOf,
  type Extension,
  floorMigration,
  type Grant,
  type HostGrants,
  type InstallOptions,
  type InstallResult,
  installFiles,
  installSchema,
  type Migration,
  migrationStatements,
  missingGrants,
  ROLE_NAMES,
  type RoleName,
  readSchemaState,
  requireCurrent,
  roleOf,
  type SchemaDefinition,
  type SchemaFiles,
  type SchemaState,
  schemaErrors,
  type UninstallOptions,
  uninstallFile,
  uninstallSchema,
  upgradeFile,
  upgradeSchema,
} from './migration/index.js';
export {
  type Probed,
  type ProbeFailure,
  type ProbeLimits,
  type ProbeOptions,
  Prober,
} from './probe.js';
export { quoteIdentifier, quoteLiteral } from './quote.js';
export { readRowVersions, rowVersionStatements } from './row-versions.js';
export { dumpParts, dumpSchema } from './schema-dump/index.js';
export { readServerTime, readTime } from './server-time.js';
export { readSetting, readSettingRow, settingErrors } from './setting.js';
export { type Shape, type Statement, statement, type Values } from './statement.js';
export type { Transaction, TransactionOptions } from './transaction.js';
export type { SqlType, SqlTypeSpec, SqlTypes, SqlValue } from './value.js';
