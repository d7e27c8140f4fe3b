import type { Migration } from '../../db/index.js';

import purgeHeartbeatsSql from './purge-heartbeats.sql.js';
import purgeRetriesSql from './purge-retries.sql.js';

import cursorDownSql from './schema/cursor.down.sql.js';
import cursorSql from './schema/cursor.sql.js';
import heartbeatSql from './schema/heartbeat.sql.js';
import leaseSql from './schema/lease.sql.js';
import retrySql from './schema/retry.sql.js';
import tablesSql from './schema/tables.sql.js';

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
export { cursorErrors } from './errors.js';
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

export const cursorMigration: Migration = {
  id: 6,
  name: 'cursor',
  up: [tablesSql, leaseSql, cursorSql, retrySql, heartbeatSql].join('\n'),
  down: cursorDownSql,
};

export const cursorPurges: readonly string[] = [purgeRetriesSql, purgeHeartbeatsSql];
