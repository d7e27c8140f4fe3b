// Owns the position of a worker in its source. A watermark is an id as text, compared by the type of its
// source, and never moves backwards; only `resetCursor`, which the database audits, moves it back. INVARIANT:
// a work transaction ends with `advance`.
import type { Transaction } from '../../db/index.js';
import { storableJson, storableText } from '../../kernel/index.js';
import { advanceCursor, noteRegressionRow, readCursorRows, resetCursorRow } from './cursor.sql.js';
import { cursorErrors, translating } from './errors.js';
import type { Lease } from './lease.js';

export interface CursorProgress {
  /** The id up to which the source was read; if missing, the watermark does not change. */
  readonly watermark?: string;
  readonly horizon?: string;
  /** Added to the counters. */
  readonly eventsSeen?: number | bigint;
  readonly attemptsWritten?: number | bigint;
  readonly phase?: string;
  /** Counts and times of this run, for operators. */
  readonly summary?: Readonly<Record<string, unknown>>;
  /** Replaces the stored metadata; if missing, the metadata does not change. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface Cursor {
  readonly worker: string;
  readonly source: string;
  readonly round: string;
  /** The id up to which the source was read; null: from the beginning, or the cursor has only a horizon. */
  readonly watermark: string | null;
  readonly idType: 'integer' | 'uuid';
  readonly horizon: string | null;
  readonly fence: bigint;
  readonly eventsSeen: bigint;
  readonly attemptsWritten: bigint;
  /**
   * How often an item of this cursor became a dead letter. `gcos deadletter list` shows the current dead
   * letters.
   */
  readonly deadLettered: bigint;
  readonly phase: string | null;
  readonly lastRunAt: string | null;
  readonly lastRunSummary: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** When a worker tried to move the cursor backwards; null after it has moved forward again. */
  readonly regressedAt: string | null;
}

const json = (value: Readonly<Record<string, unknown>> | undefined): string | null =>
  value === undefined ? null : storableJson(value);
/** uuids are stored in lower case, as the server prints them. */
const idText = (id: string | null | undefined): string | null => id?.toLowerCase() ?? null;

/**
 * Ends a work transaction: moves the cursor if the lease still has its fence. Otherwise throws, which rolls
 * the transaction back.
 */
export async function advance(
  tx: Transaction,
  lease: Lease,
  round: string,
  progress: CursorProgress,
): Promise<void> {
  const { worker, source, fence } = lease;
  await translating({ round, withWatermark: true }, () =>
    tx.one(advanceCursor, {
      worker,
      source,
      round,
      fence,
      moves: progress.watermark !== undefined,
      watermarkId: idText(progress.watermark),
      horizon: progress.horizon ?? null,
      eventsSeen: BigInt(progress.eventsSeen ?? 0),
      attemptsWritten: BigInt(progress.attemptsWritten ?? 0),
      phase: progress.phase ?? null,
      summary: json(progress.summary),
      metadata: json(progress.metadata),
    }),
  );
}

/** Records for the watcher that the worker tried to move `round` backwards; false if the lease is lost. */
export async function noteRegression(tx: Transaction, lease: Lease, round: string): Promise<boolean> {
  const { worker, source, fence } = lease;
  return (await tx.one(noteRegressionRow, { worker, source, round, fence })).noted;
}

export interface CursorReset {
  readonly worker: string;
  readonly source: string;
  readonly round: string;
  /** The new position; null: the beginning. */
  readonly watermark: string | null;
  readonly horizon?: string | null;
  readonly reason: string;
  /**
   * With a lease, its holder resets under its own fence and keeps it. Without it, the current holder loses
   * the lease.
   */
  readonly lease?: Lease;
}

/** Moves a cursor to any position, also backwards; the database writes an audit row. */
export async function resetCursor(tx: Transaction, reset: CursorReset): Promise<void> {
  const { worker, source, round } = reset;
  await translating({ round, withWatermark: true }, () =>
    tx.one(resetCursorRow, {
      worker,
      source,
      round,
      fence: reset.lease?.fence ?? null,
      watermarkId: idText(reset.watermark),
      horizon: reset.horizon ?? null,
      reason: storableText(reset.reason),
    }),
  );
}

/** The cursors that match the filter. */
export async function readCursors(
  tx: Transaction,
  filter: { worker?: string; source?: string; round?: string } = {},
): Promise<Cursor[]> {
  const rows = await tx.run(readCursorRows, {
    worker: filter.worker ?? null,
    source: filter.source ?? null,
    round: filter.round ?? null,
  });
  return rows.map((row) => ({
    worker: row.worker,
    source: row.source,
    round: row.round,
    watermark: row.watermark_id,
    idType: row.id_type === 'uuid' ? 'uuid' : 'integer',
    horizon: row.horizon,
    fence: row.fence,
    eventsSeen: row.events_seen,
    attemptsWritten: row.attempts_written,
    deadLettered: row.dead_lettered,
    phase: row.phase,
    lastRunAt: row.last_run_at,
    lastRunSummary: JSON.parse(row.last_run_summary) as Record<string, unknown>,
    metadata: JSON.parse(row.metadata) as Record<string, unknown>,
    regressedAt: row.regressed_at,
  }));
}

/** The cursor of one round under `lease`. */
export async function readCursor(tx: Transaction, lease: Lease, round: string): Promise<Cursor> {
  const [cursor] = await readCursors(tx, { worker: lease.worker, source: lease.source, round });
  if (cursor !== undefined) return cursor;
  throw cursorErrors.cursor_unknown(`there is no cursor \`${lease.worker}/${lease.source}/${round}\``);
}
