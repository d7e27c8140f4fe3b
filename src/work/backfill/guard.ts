// Owns the pauses of the backfill: before every batch it waits while other sessions wait for locks or a
// replica lags.
import { setTimeout as timer } from 'node:timers/promises';
import { z } from 'zod';
import { type Database, readSetting } from '../../db/index.js';
import { readLoad } from './guard.sql.js';

const guardSetting = z.strictObject({
  lock_waits: z.int().min(0),
  replication_lag_seconds: z.number().positive(),
  pause_ms: z.int().min(10).max(60_000),
});

export interface Load {
  readonly lockWaits: bigint;
  readonly replicationLagSeconds: number;
}

/**
 * Waits until the load is below the limits; returns how long that took. Stops waiting when `signal` is
 * aborted.
 */
export async function yieldToHost(
  db: Database,
  signal: AbortSignal,
  onPause: (load: Load) => void,
): Promise<number> {
  const started = performance.now();
  for (;;) {
    const { load, limits } = await db.transaction(
      { isolation: 'read committed', readOnly: true },
      async (tx) => ({
        limits: await readSetting(tx, 'backfill.guard', guardSetting, {
          lock_waits: 8,
          replication_lag_seconds: 30,
          pause_ms: 1_000,
        }),
        load: await tx.one(readLoad, {}),
      }),
    );
    const calm =
      load.lock_waits <= BigInt(limits.lock_waits) &&
      load.replication_lag_seconds <= limits.replication_lag_seconds;
    if (calm || signal.aborted) return performance.now() - started;
    onPause({ lockWaits: load.lock_waits, replicationLagSeconds: load.replication_lag_seconds });
    await timer(limits.pause_ms, undefined, { signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }
}
