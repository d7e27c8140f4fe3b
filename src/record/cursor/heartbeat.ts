// Owns the heartbeat of a worker in the host's queue_heartbeat. It contains the last progress as well as the
// last tick, so that the watcher detects a worker that ticks without progress.
import type { Transaction } from '../../db/index.js';
import { storableText } from '../../kernel/index.js';
import { endHeartbeatRow, heartbeatRows, tickRow } from './heartbeat.sql.js';

export interface Tick {
  readonly worker: string;
  /** Workers with several sources tick once per source. */
  readonly source?: string;
  readonly status: 'ok' | 'error';
  /**
   * `stopped`: the worker intentionally stops ticking. `paused`: it intentionally makes no progress. Default
   * `running`.
   */
  readonly state?: 'running' | 'paused' | 'stopped';
  readonly leaseOwner?: string;
  /** The position of the worker; counts as progress only if the value differs from the last one. */
  readonly progress?: { readonly value: string };
  /** How far the worker is behind its source; 0: there is nothing to do; missing: the last value stays. */
  readonly lagSeconds?: number;
  readonly error?: string;
  /** A round has just succeeded: `failing_since` ends. */
  readonly succeeded?: boolean;
  /** The tag of the worker's transactions. */
  readonly tag?: string;
}

/** Ticks. Call it in a separate transaction: the row is updated often, and work must not hold its lock. */
export async function tick(tx: Transaction, beat: Tick): Promise<void> {
  await tx.one(tickRow, {
    worker: beat.worker,
    source: beat.source ?? null,
    status: beat.status,
    state: beat.state ?? 'running',
    leaseOwner: beat.leaseOwner ?? null,
    progressValue: beat.progress?.value ?? null,
    lagSeconds: beat.lagSeconds ?? null,
    error: beat.error === undefined ? null : storableText(beat.error),
    succeeded: beat.succeeded === true,
    tag: beat.tag ?? null,
  });
}

/** Records that a worker whose process died has stopped; its last tick keeps its time. */
export async function endHeartbeat(
  tx: Transaction,
  ended: { readonly worker: string; readonly source: string; readonly error: string },
): Promise<void> {
  await tx.one(endHeartbeatRow, ended);
}

export interface Heartbeat {
  readonly executor: string;
  readonly worker: string;
  readonly source: string | null;
  readonly state: string | null;
  readonly leaseOwner: string | null;
  readonly lastTickAt: string | null;
  readonly lastTickStatus: string | null;
  readonly progressValue: string | null;
  readonly progressAt: string | null;
  readonly lagSeconds: number | null;
  /** When a round last succeeded; since when all rounds fail; the last error. */
  readonly lastSuccessAt: string | null;
  readonly failingSince: string | null;
  readonly successSeconds: number | null;
  readonly failingSeconds: number | null;
  readonly error: string | null;
  /**
   * At the requested time: seconds since the last tick, and seconds without progress while there was work.
   */
  readonly silentSeconds: number | null;
  readonly stalledSeconds: number | null;
}

/**
 * Whether a worker has not ticked for longer than `limit` seconds. A tick far in the future was made before
 * the clock was set back: nothing has ticked since.
 */
export const isSilent = ({ silentSeconds }: Pick<Heartbeat, 'silentSeconds'>, limit: number): boolean =>
  silentSeconds !== null && Math.abs(silentSeconds) > limit;

/** The heartbeats of all workers that have ever ticked, relative to the time `at`. */
export async function readHeartbeats(tx: Transaction, at: string): Promise<Heartbeat[]> {
  const rows = await tx.run(heartbeatRows, { at });
  return rows.map((row) => ({
    executor: row.executor_name,
    worker: row.worker,
    source: row.source,
    state: row.state,
    leaseOwner: row.lease_owner,
    lastTickAt: row.last_tick_at,
    lastTickStatus: row.last_tick_status,
    progressValue: row.progress_value,
    progressAt: row.progress_at,
    lagSeconds: row.lag_seconds,
    lastSuccessAt: row.last_success_at,
    failingSince: row.failing_since,
    successSeconds: row.success_seconds,
    failingSeconds: row.failing_seconds,
    error: row.error,
    silentSeconds: row.silent_seconds,
    stalledSeconds: row.stalled_seconds,
  }));
}
