export type { AskedException, ExceptionWish } from './ask.js';
export {
  type ExceptionSubject,
  type ExceptionTerms,
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
