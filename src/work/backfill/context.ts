// Owns the context that every step of a backfill receives.
import type { ClosingContext } from '../closing/index.js';
import type { BackfillProgress } from './report.js';

export interface BackfillContext extends ClosingContext {
  /** Aborted when the run is interrupted or has lost a lease. */
  readonly signal: AbortSignal;
  /** Maximum births per second. */
  readonly rate: number | undefined;
  /** Whether the sweep also works outside of its window. */
  readonly now: boolean;
  /** How many parts are swept in parallel. */
  readonly lanes: number;
  readonly onProgress: (progress: BackfillProgress) => void;
}
