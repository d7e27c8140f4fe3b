// Owns the context that every step of a backfill receives.
import type { ClosingContext } from '../closing/index.js';
import type { BackfillProgress } from './report.js';

export interface BackfillContext extends ClosingContext {
  readonly signal: AbortSignal;
  /** Maximum births per second. */
  readonly rate: number | undefined;
  /** How many parts are swept in parallel. */
  readonly lanes: number;
  readonly onProgress: (progress: BackfillProgress) => void;
}
