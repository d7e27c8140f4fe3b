export { applyExceptionChanges, haveExceptionsChanged, type MovedException } from './changes.js';
export {
  type ExceptionSubject,
  type ExceptionTerms,
  subjectText,
} from './exception.js';
export { type ExceptionOptions, Exceptions } from './exceptions.js';
export { exceptionModule } from './module.js';
export {
  EXCEPTION_STATUSES,
  type Exception,
  type ExceptionDetail,
  type ExceptionFilter,
  type ExceptionStatus,
  readExceptions,
} from './read.js';
export {
  countOpenGaps,
  type ExceptionRequest,
  type ObjectGap,
  type RequestedException,
  type RequestedGaps,
  requireListable,
} from './request.js';
