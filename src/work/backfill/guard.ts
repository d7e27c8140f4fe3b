// Owns the pauses of the backfill: before every batch it waits outside of its window, while other sessions
// wait for locks, or while a replica lags.
import { setTimeout as timer } from 'node:timers/promises';
import { z } from 'zod';
import { type Database, defineSetting, readSetting, type Transaction } from '../../db/index.js';
import { readWindow } from '../window.js';
import { readLoad } from './guard.sql.js';
import { readPace } from './pace.js';

const guardSetting = z.strictObject({
  lock_waits: z.int().min(0),
  replication_lag_seconds: z.number().positive(),
  pause_ms: z.int().min(10).max(60_000),
});
type GuardSetting = z.infer<typeof guardSetting>;
export const backfillGuard = defineSetting({
  key: 'backfill.guard',
  form: guardSetting,
  default: { lock_waits: 8, replication_lag_seconds: 30, pause_ms: 1000 },
  about:
    'the backfill pauses while more sessions than this wait for a lock for over a second, or a replica is further behind',
});

/** Why the backfill must wait outside of its window; undefined: it need not. */
async function readClosedWindow(tx: Transaction): Promise<string | undefined> {
  const { window } = await readPace(tx);
  if (window === null) return undefined;
  const { open, nextAt } = await readWindow(tx, window);
  return open === null
    ? `outside of its window, ${window.from} to ${window.to} UTC, until ${nextAt}`
    : undefined;
}

/** Why the backfill must wait for other sessions or replicas; undefined: it need not. */
async function readBusyHost(tx: Transaction, limits: GuardSetting): Promise<string | undefined> {
  const load = await tx.one(readLoad, {});
  const calm =
    load.lock_waits <= BigInt(limits.lock_waits) &&
    load.replication_lag_seconds <= limits.replication_lag_seconds;
  return calm
    ? undefined
    : `${load.lock_waits} sessions wait for locks, the slowest replica is ${load.replication_lag_seconds} s behind`;
}

export interface YieldOptions {
  readonly signal: AbortSignal;
  /** Whether the backfill also works outside of its window. */
  readonly now: boolean;
  readonly onPause: (why: string) => void;
}

/**
 * Waits until the window is open and the load is below the limits, as the settings are at that time. Stops
 * waiting when `signal` is aborted.
 */
export async function yieldToHost(db: Database, { signal, now, onPause }: YieldOptions): Promise<void> {
  for (;;) {
    const { why, pauseMs } = await db.transaction(
      { isolation: 'read committed', readOnly: true },
      async (tx) => {
        const limits = await readSetting(tx, backfillGuard);
        const closed = now ? undefined : await readClosedWindow(tx);
        return { why: closed ?? (await readBusyHost(tx, limits)), pauseMs: limits.pause_ms };
      },
    );
    if (why === undefined || signal.aborted) return;
    onPause(why);
    await timer(pauseMs, undefined, { signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }
}
