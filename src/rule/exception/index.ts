import type { Migration } from '../../db/index.js';

import actsSql from './schema/acts.sql.js';
import effectSql from './schema/effect.sql.js';
import exceptionDownSql from './schema/exception.down.sql.js';
import standingSql from './schema/standing.sql.js';
import tablesSql from './schema/tables.sql.js';

export { type AskedException, askForException, type ExceptionWish } from './ask.js';
export { exceptionErrors } from './errors.js';
export {
  EXCEPTION_ACTION,
  type ExceptionActOptions,
  type ExceptionSubject,
  type ExceptionTerms,
  grantException,
  requestException,
  revokeException,
  subjectWords,
} from './exception.js';
export { type ExceptionOptions, Exceptions } from './exceptions.js';
export {
  type Exception,
  type ExceptionDetail,
  type ExceptionFilter,
  type ExceptionStanding,
  readExceptions,
  STANDINGS,
} from './read.js';
export { areExceptionsUnsettled, type MovedException, settleExceptions } from './settle.js';

export const exceptionMigration: Migration = {
  id: 16,
  name: 'exception',
  up: [tablesSql, standingSql, effectSql, actsSql].join('\n'),
  down: exceptionDownSql,
};
