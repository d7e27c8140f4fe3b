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
export { hasWrittenOnly } from './own-writes.js';
export {
  type Probed,
  type ProbeFailure,
  type ProbeLimits,
  type ProbeOptions,
  Prober,
} from './probe.js';
export { quoteIdentifier, quoteLiteral } from './quote.js';
export { readRowVersions } from './row-versions.js';
export { dumpSchema } from './schema-dump/index.js';
export { readServerTime } from './server-time.js';
export { readTime } from './server-time.sql.js';
export { readSetting, settingErrors } from './setting.js';
export { readSettingRow } from './setting.sql.js';
export {
  fillParts,
  type ParamsOf,
  type RowOf,
  type Statement,
  statement,
  type Template,
} from './statement.js';
export type { Transaction, TransactionOptions } from './transaction.js';
export type { SqlType, SqlTypeSpec, SqlTypes, SqlValue } from './value.js';
