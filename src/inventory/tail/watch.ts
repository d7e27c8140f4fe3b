// Owns the monitoring data of the tail. An open transaction elsewhere holds the horizon back: until it ends,
// rows are read again and the list of seen rows grows.
import type { Transaction } from '../../db/index.js';
import { INTAKE } from './limits.js';
import { readWatchRow } from './watch.sql.js';

export interface TailWatch {
  readonly horizon: string;
  /** How many transactions have started since the horizon. */
  readonly horizonAge: bigint;
  /** How long the horizon has not moved, in seconds. */
  readonly horizonSeconds: number;
  readonly maxId: bigint | null;
  readonly lastWideAt: string | null;
  readonly lastNearAt: string | null;
  readonly seenSize: bigint;
  readonly gaps: bigint;
}

/** The monitoring data at `at`; undefined when the tail was never started. */
export async function watchTail(tx: Transaction, at: string): Promise<TailWatch | undefined> {
  const { worker, source } = INTAKE;
  const [row] = await tx.run(readWatchRow, { worker, source, at });
  if (row === undefined || row.horizon === null) return undefined;
  return {
    horizon: row.horizon,
    horizonAge: row.horizon_age ?? 0n,
    horizonSeconds: Math.max(0, row.horizon_seconds ?? 0),
    maxId: row.max_id === null ? null : BigInt(row.max_id),
    lastWideAt: row.last_wide_at,
    lastNearAt: row.last_near_at,
    seenSize: row.seen,
    gaps: row.gaps,
  };
}
