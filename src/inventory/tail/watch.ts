// Owns what people watch of the tail. A transaction left open elsewhere holds the horizon back: rows are read
// again and the list of seen rows grows until it ends.
import type { Transaction } from '../../db/index.js';
import { INTAKE } from './limits.js';
import { readWatchRow } from './watch.sql.js';

export interface TailWatch {
  readonly horizon: string;
  /** How many transactions have begun since the horizon. */
  readonly horizonAge: bigint;
  /** How long the horizon has stood where it stands, in seconds. */
  readonly horizonSeconds: number;
  readonly maxId: bigint | null;
  readonly lastWideAt: string | null;
  readonly lastNearAt: string | null;
  readonly seenSize: bigint;
  readonly gaps: bigint;
}

/** How the tail stands at `at`; undefined where it was never started. */
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
