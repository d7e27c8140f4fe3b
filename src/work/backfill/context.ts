// Owns what every step of a run has at hand.
import { cancelledBy, type Database } from '../../db/index.js';
import type { HostMapping } from '../../host/index.js';
import type { Announce } from '../../inventory/index.js';
import type { Lease } from '../../record/index.js';
import type { Desk } from '../follow/index.js';
import type { BackfillProgress } from './report.js';
import { roundOf } from './state.js';

export interface BackfillContext {
  readonly db: Database;
  readonly mapping: HostMapping;
  readonly announce: Announce;
  readonly runId: string;
  /** The lease of the backfill, and that of the tail it starts. */
  readonly lease: Lease;
  readonly intake: Lease;
  readonly signal: AbortSignal;
  /** Births per second, at most. */
  readonly rate: number | undefined;
  /** How many parts are swept at once. */
  readonly lanes: number;
  /** How long the comparison may hold its snapshot, where it is not the usual time. */
  readonly holdMs: number | undefined;
  readonly onProgress: (progress: BackfillProgress) => void;
  /** Throws when the run was interrupted or has lost a lease. */
  stopIfAsked(): void;
}

/** Where births that cannot be taken in are written down. */
export const deskOf = ({ lease }: BackfillContext): Desk => ({ lease, round: roundOf(0) });

export function stopIfAsked(signal: AbortSignal, leases: readonly Lease[]): void {
  if (signal.aborted) throw cancelledBy(signal);
  for (const lease of leases) if (lease.lost.aborted) throw lease.lost.reason;
}
