// Owns how much a round takes in at once, and what names the tail's lease and cursors.
import { z } from 'zod';
import { readSetting, type Transaction } from '../../db/index.js';
import type { HostMapping } from '../../host/index.js';
import { STATEMENT_LIMIT_MS } from '../snapshot/index.js';

/** What to ask a lease for: worker, source and the two rounds, each with a cursor. */
export const INTAKE = {
  worker: 'intake',
  source: 'birth_registry',
  rounds: [
    { round: 'near', idType: 'integer' },
    { round: 'wide', idType: 'integer' },
  ],
} as const;

/**
 * How a round's transaction must be opened: one snapshot throughout, and repeated when somebody else was
 * faster.
 */
export const ROUND_TRANSACTION = {
  isolation: 'repeatable read',
  statementTimeoutMs: STATEMENT_LIMIT_MS,
  retries: 5,
} as const;

const BACKLOG_ROWS = 200_000;

const limitsSetting = z.strictObject({
  round_rows: z.int().min(1).max(1_000_000),
  backlog_rows: z.int().min(1).max(1_000_000).optional(),
  rebase_rows: z.int().min(1).max(100_000_000),
  gaps: z.int().min(0).max(100_000),
});

export interface TailLimits {
  /** Rows a round goes through one by one; above it, it takes in as many and says that there is more. */
  readonly roundRows: number;
  /** The same for rows that a near round only adds up. */
  readonly backlogRows: number;
  /** Above it, reading everything anew is cheaper than going through the rows. */
  readonly rebaseRows: number;
  /** How many gaps are remembered. */
  readonly gaps: number;
}

export interface RoundOptions {
  readonly schema: string;
  readonly mapping: HostMapping;
  /** `later`: what must be computed anew is only marked, as while a sweep is under way. Default `now`. */
  readonly recompute?: 'now' | 'later';
  /** Default: the setting `tail.limits`. */
  readonly limits?: Partial<TailLimits>;
  /** What one statement may take; a longer one is cut into ranges. */
  readonly limitMs?: number;
}

export async function readLimits(tx: Transaction, given: Partial<TailLimits> = {}): Promise<TailLimits> {
  const fallback = { round_rows: 10_000, backlog_rows: BACKLOG_ROWS, rebase_rows: 100_000, gaps: 1_000 };
  const setting = await readSetting(tx, 'tail.limits', limitsSetting, fallback);
  const most = setting.backlog_rows ?? BACKLOG_ROWS;
  return {
    roundRows: given.roundRows ?? setting.round_rows,
    // Whoever limits only what a round goes through limits all of it.
    backlogRows: Math.min(given.backlogRows ?? given.roundRows ?? most, most),
    rebaseRows: given.rebaseRows ?? setting.rebase_rows,
    gaps: given.gaps ?? setting.gaps,
  };
}
