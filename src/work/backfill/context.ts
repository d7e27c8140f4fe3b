// Owns what every step of a backfill has at hand.
import type { ClosingContext } from '../closing/index.js';
import type { BackfillProgress } from './report.js';

export interface BackfillContext extends ClosingContext {
  readonly signal: AbortSignal;
  /** Births per second, at most. */
  readonly rate: number | undefined;
  /** How many parts are swept at once. */
  readonly lanes: number;
  readonly onProgress: (progress: BackfillProgress) => void;
}
