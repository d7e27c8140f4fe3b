export { type AskedException, askForException, type ExceptionWish } from './ask.js';
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
export { exceptionModule } from './module.js';
export {
  type Exception,
  type ExceptionDetail,
  type ExceptionFilter,
  type ExceptionStanding,
  readExceptions,
  STANDINGS,
} from './read.js';
export { areExceptionsUnsettled, type MovedException, settleExceptions } from './settle.js';
