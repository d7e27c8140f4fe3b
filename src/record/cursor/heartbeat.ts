// Owns the sign of life of a worker in the host's queue_heartbeat. It carries the last progress, not only the
// last tick: a worker that ticks and does nothing is found.
import type { Transaction } from '../../db/index.js';
import { storableText } from '../../kernel/index.js';
import { heartbeatRows, tickRow } from './heartbeat.sql.js';

export interface Tick {
  readonly worker: string;
  /** Workers with several sources tick once per source. */
  readonly source?: string;
  readonly status: 'ok' | 'error';
  /**
   * `stopped` says that silence is intended from now on, `paused` that standing still is. Default `running`.
   */
  readonly state?: 'running' | 'paused' | 'stopped';
  readonly leaseOwner?: string;
  /** How far it is; counts as progress only when the value differs from the last one. */
  readonly progress?: { readonly at?: string; readonly value: string };
  /** How far it is behind its source; 0 or nothing: there is nothing to do. */
  readonly lagSeconds?: number;
  readonly error?: string;
  /** Default the server's clock. */
  readonly at?: string;
}

/** Ticks. In a transaction of its own: the row is hot, and work must not hold it. */
export async function tick(tx: Transaction, beat: Tick): Promise<void> {
  await tx.one(tickRow, {
    worker: beat.worker,
    source: beat.source ?? null,
    status: beat.status,
    state: beat.state ?? 'running',
    leaseOwner: beat.leaseOwner ?? null,
    progressAt: beat.progress?.at ?? null,
    progressValue: beat.progress?.value ?? null,
    lagSeconds: beat.lagSeconds ?? null,
    error: beat.error === undefined ? null : storableText(beat.error),
    at: beat.at ?? null,
  });
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
  /** At the time asked for: since the last tick; and since it last got on, while it had something to do. */
  readonly silentSeconds: number | null;
  readonly stalledSeconds: number | null;
}

/** The workers that have ever ticked, as they look at the time `at`. */
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
    silentSeconds: row.silent_seconds,
    stalledSeconds: row.stalled_seconds,
  }));
}
