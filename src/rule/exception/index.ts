import type { Migration } from '../../db/index.js';
import { actStatements } from './exception.js';
import { lookStatements } from './exceptions.js';
import actsSql from './schema/acts.sql.js';
import exceptionDownSql from './schema/exception.down.sql.js';
import standingSql from './schema/standing.sql.js';
import tablesSql from './schema/tables.sql.js';

export { exceptionErrors } from './errors.js';
export {
  EXCEPTION_ACTION,
  type ExceptionActOptions,
  type ExceptionSubject,
  type ExceptionTerms,
  grantException,
  requestException,
  revokeException,
} from './exception.js';
export {
  type Exception,
  type ExceptionFilter,
  type ExceptionStanding,
  Exceptions,
  readExceptions,
} from './exceptions.js';

export const exceptionStatements = [...actStatements, ...lookStatements];

export const exceptionMigration: Migration = {
  id: 16,
  name: 'exception',
  up: [tablesSql, standingSql, actsSql].join('\n'),
  down: exceptionDownSql,
};
