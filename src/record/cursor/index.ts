export {
  advance,
  type Cursor,
  readCursor,
  readCursors,
  resetCursor,
} from './cursor.js';
export type { DeadLetterChoice } from './dead-letter.js';
export {
  countDeadLetters,
  type DeadLetter,
  type DeadLetterDetail,
  type DeadLetterPage,
  DeadLetters,
} from './dead-letter.js';
export { type FaultContext, reportFault } from './fault.js';
export { endHeartbeat, type Heartbeat, isSilent, readHeartbeats, type Tick, tick } from './heartbeat.js';
export {
  acquireLease,
  holderName,
  LEASE_TTL_MS,
  Lease,
  type LeaseRequest,
  type Round,
  readHolder,
} from './lease.js';
export { cursorModule } from './module.js';
export { type PauseAct, type PauseState, readPause, Workers } from './pause.js';
export {
  completeRetries,
  type DueRetry,
  dueRetries,
  type Failure,
  recordFailures,
} from './retry.js';
export {
  backfillLetterFindings,
  readSilence,
  watchWorkers,
} from './watch.js';
export { didAnything, type RoundResult, runUnderLease, type WorkerOptions } from './worker.js';
