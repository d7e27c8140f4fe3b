// Owns what every part of an intake round is given.
import type { Database } from '../../db/index.js';
import type { HostMapping } from '../../host/index.js';
import type { Lease } from '../../record/cursor/index.js';

export interface IntakeContext {
  readonly db: Database;
  readonly mapping: HostMapping;
  /** Taken with INTAKE_LEASE. */
  readonly lease: Lease;
  /** Whose marks and verdicts these are. */
  readonly runId: string;
  /** What one statement may take; unless said otherwise, what any statement may. */
  readonly limitMs?: number;
}
