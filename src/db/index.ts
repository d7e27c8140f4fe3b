export { Database, type DatabaseOptions } from './database.js';
export {
  type Binaries,
  EmbeddedServer,
  type EmbeddedStatus,
  embeddedErrors,
  findBinaries,
} from './embedded/index.js';
export { dbErrors, isConnectionLoss, isSerializationFailure, sqlstateOf, translateError } from './errors.js';
export { quoteIdentifier, quoteLiteral } from './quote.js';
export { type Shape, type Statement, statement, type Values } from './statement.js';
export type { Transaction, TransactionOptions } from './transaction.js';
export type { SqlType, SqlTypeSpec, SqlTypes, SqlValue } from './value.js';
