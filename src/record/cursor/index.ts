export {
  advance,
  type Cursor,
  type CursorProgress,
  type CursorReset,
  readCursor,
  readCursors,
  resetCursor,
  type Watermark,
} from './cursor.js';
export {
  countDeadLetters,
  type DeadLetter,
  type DeadLetterChoice,
  type DeadLetterDetail,
  type DeadLetterPage,
  DeadLetters,
} from './dead-letter.js';
export { type FaultContext, reportFault } from './fault.js';
export { type Heartbeat, readHeartbeats, type Tick, tick } from './heartbeat.js';
export {
  acquireLease,
  holderName,
  LEASE_RENEWAL_MS,
  LEASE_TTL_MS,
  Lease,
  type LeaseRequest,
  type RenewalOptions,
  type Round,
  readHolder,
} from './lease.js';
export { cursorModule } from './module.js';
export { assertNotPaused, type PauseState, readPause, Workers } from './pause.js';
export {
  type DueRetry,
  dueRetries,
  type Failure,
  type RecordedFailure,
  type RetryPolicy,
  readRetryPolicy,
  recordFailures,
  settleRetries,
} from './retry.js';
export {
  backfillLetterFindings,
  readWatchThresholds,
  type WatchOptions,
  type WatchThresholds,
  watchWorkers,
} from './watch.js';
export { type RoundResult, runUnderLease, type WorkerOptions } from './worker.js';
