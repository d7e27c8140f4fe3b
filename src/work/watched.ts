// Owns the question as of which time GCOS has seen the host, and the finding that this is too long ago.
import type { Transaction } from '../db/index.js';
import type { Observation } from '../record/finding/index.js';
import { readEvaluationBasis } from './follow/index.js';
import { INTAKE_LEASE } from './intake/index.js';
import { readWatchedRow } from './watched.sql.js';

export interface Watched {
  /** Everything that the host committed before this time is taken in; null: nothing was ever watched. */
  readonly watchedAt: string | null;
  /** Longer ago than the active ruleset tolerates at high risk, so that the gate blocks. */
  readonly unwatched: boolean;
}

export async function readWatched(tx: Transaction): Promise<Watched> {
  const { watched_at: watchedAt, unwatched } = await tx.one(readWatchedRow, { since: null });
  return { watchedAt, unwatched };
}

/** How long ago that is, in seconds; undefined: nothing was ever watched. */
export async function readWatchedAge(
  tx: Transaction,
): Promise<{ readonly seconds: number | undefined; readonly unwatched: boolean }> {
  const { watched_at: watchedAt, unwatched, seconds } = await tx.one(readWatchedRow, { since: null });
  return { seconds: watchedAt === null ? undefined : seconds, unwatched };
}

/** Whether everything that the host committed before `since` is taken in. */
export async function isWatchedSince(tx: Transaction, since: string): Promise<boolean> {
  return (await tx.one(readWatchedRow, { since })).fresh;
}

/**
 * The observation that nothing watches the host, whatever its workers report: stopped, never started,
 * failing, frozen. None before a backfill is complete: then there is nothing to keep up to date.
 */
export async function observeUnwatched(tx: Transaction): Promise<readonly Observation[]> {
  if ((await readEvaluationBasis(tx)) === undefined) return [];
  const { watched_at: watchedAt, unwatched, seconds } = await tx.one(readWatchedRow, { since: null });
  const { worker, source } = INTAKE_LEASE;
  return unwatched
    ? [
        {
          type: 'handoff_silent_gap',
          subject: `${worker}:${source}`,
          rootCause: 'unwatched',
          entityType: 'worker',
          entityCode: `gcos_${worker}:${source}`,
          evidence: { reason: 'unwatched', watched_at: watchedAt, seconds: Math.round(seconds) },
        },
      ]
    : [];
}
