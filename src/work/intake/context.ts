// Owns the context that every part of an intake round receives.
import type { Database } from '../../db/index.js';
import type { Lease } from '../../record/cursor/index.js';

export interface IntakeContext {
  readonly db: Database;
  /** Acquired with INTAKE_LEASE. */
  readonly lease: Lease;
  /** The run that marks and verdicts are attributed to. */
  readonly runId: string;
  /** The statement timeout; by default that of a round transaction. */
  readonly limitMs?: number;
  /** Whether wide rounds compare numbers of births; a closing run proves the sums instead. Default: true. */
  readonly noticeDeletions?: boolean;
}
