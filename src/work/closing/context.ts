// Owns what every step of a closing run has at hand.
import { cancelledBy, type Database, type Transaction } from '../../db/index.js';
import type { HostMapping } from '../../host/index.js';
import type { Announce } from '../../inventory/snapshot/index.js';
import type { Lease } from '../../record/cursor/index.js';
import type { Rules, VerdictStamp } from '../../verdict/candidate/index.js';
import type { RetryTarget } from '../follow/index.js';
import { MAIN_ROUND } from './walk.js';

/** A state whose groups and objects are decided: under what, and by which rules. */
export interface DecidedState extends VerdictStamp {
  readonly rules: Rules;
}

export interface ClosingContext {
  readonly db: Database;
  readonly mapping: HostMapping;
  readonly announce: Announce;
  readonly runId: string;
  /** The lease of closing runs, and that of the tail. */
  readonly lease: Lease;
  readonly intake: Lease;
  /** How long the comparison may hold its snapshot, where it is not the usual time. */
  readonly holdMs: number | undefined;
  /** What else is decided in the state that is about to be closed: after the verdicts, before the ledger is read. Returns rows changed. */
  readonly beforeLedger?: (tx: Transaction, decided: DecidedState) => Promise<bigint>;
  /** Whether every object is walked over, asked for or not. */
  readonly walkAll?: boolean;
  /** How its last snapshot is called. */
  readonly snapshotKind: 'backfill' | 'full';
  readonly onReconcile: (attempt: number, most: number) => void;
  /** Throws when the run was interrupted or has lost a lease. */
  stopIfRequested(): void;
}

/** Where births that cannot be taken in are written down. */
export const retryTargetOf = ({ lease }: ClosingContext): RetryTarget => ({ lease, round: MAIN_ROUND });

export function stopIfRequested(signal: AbortSignal, leases: readonly Lease[]): void {
  if (signal.aborted) throw cancelledBy(signal);
  for (const lease of leases) if (lease.lost.aborted) throw lease.lost.reason;
}
