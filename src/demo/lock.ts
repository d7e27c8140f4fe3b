// Owns the lock of a demo estate: one build or removal at a time, and none while GCOS is installed or
// removed.
import { SCHEMA_LOCK_SQL } from '../db/index.js';

/**
 * Long enough for another build to finish, so that a second build reports the existing estate instead of a
 * time-out.
 */
export const LOCK_TIMEOUT_MS = 60_000;

/** The locks are per database and end with the transaction. */
export const LOCK_ESTATE = `
  select pg_advisory_xact_lock(hashtextextended('gcos demo estate', 0));
  ${SCHEMA_LOCK_SQL}`;
