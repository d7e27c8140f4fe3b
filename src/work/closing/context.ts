// Owns the context that every step of a closing run receives.
import { cancelledBy, type Database, type Transaction } from '../../db/index.js';
import type { Announce } from '../../inventory/snapshot/index.js';
import type { TailRound } from '../../inventory/tail/index.js';
import type { Lease } from '../../record/cursor/index.js';
import type { Rules, VerdictStamp } from '../../verdict/candidate/index.js';
import type { RetryTarget } from '../follow/index.js';
import { MAIN_ROUND } from './walk.js';

/** A state whose groups and objects are evaluated: the verdict stamp and the rules. */
export interface DecidedState extends VerdictStamp {
  readonly rules: Rules;
}

/** What a run writes with its verdicts; `cause` is recorded in their history. */
export interface RunStamp extends Omit<VerdictStamp, 'at'> {
  readonly cause?: string;
}

export interface ClosingContext {
  readonly db: Database;
  readonly announce: Announce;
  readonly runId: string;
  /** The lease of closing runs, and the lease of the tail. */
  readonly lease: Lease;
  readonly intake: Lease;
  /** How long the comparison may hold its snapshot; undefined: the default. */
  readonly holdMs: number | undefined;
  /**
   * Further evaluation in the state to be closed: after the verdicts, before the ledger is read. Returns the
   * number of changed rows.
   */
  readonly beforeLedger?: (tx: Transaction, decided: DecidedState) => Promise<bigint>;
  /** Receives every round of the tail that the run makes. */
  readonly onRound?: (round: TailRound) => void;
  /** Whether the run walks all objects even without a request. */
  readonly walkAll?: boolean;
  /** The kind of the closing snapshot. */
  readonly snapshotKind: 'backfill' | 'full';
  /** How many comparisons are done, with the share of the current one, of at most so many. */
  readonly onReconcile: (done: number, most: number) => void;
  /** Throws if the run was interrupted or has lost a lease. */
  stopIfRequested(): void;
}

/** The retry list for births that cannot be taken in. */
export const retryTargetOf = ({ lease }: ClosingContext): RetryTarget => ({ lease, round: MAIN_ROUND });

export function stopIfRequested(signal: AbortSignal, leases: readonly Lease[]): void {
  if (signal.aborted) throw cancelledBy(signal);
  for (const lease of leases) if (lease.lost.aborted) throw lease.lost.reason;
}
