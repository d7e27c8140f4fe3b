// Owns how many rows a round processes, and the names of the tail's lease and cursors.
import { z } from 'zod';
import { defineSetting, readSetting, type Transaction } from '../../db/index.js';
import { STATEMENT_LIMIT_MS } from '../snapshot/index.js';

/** The lease to request: worker, source and the two rounds, each with a cursor. */
export const INTAKE = {
  worker: 'intake',
  source: 'birth_registry',
  rounds: [
    { round: 'near', idType: 'integer' },
    { round: 'wide', idType: 'integer' },
  ],
} as const;

/**
 * The transaction options of a round: one snapshot throughout, with retries after a serialization failure.
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
  range_rows: z.int().min(1).max(10_000_000).default(50_000),
});
export const tailLimits = defineSetting({
  key: 'tail.limits',
  form: limitsSetting,
  default: { round_rows: 10000, backlog_rows: 200000, rebase_rows: 100000, gaps: 1000, range_rows: 50000 },
  about:
    'rows that one round of the tail processes one by one; maximum rows of a near round; changed rows above which the tail recomputes everything; gaps it stores; births in a range that an update recounts',
});

export interface TailLimits {
  /**
   * The maximum number of rows that a round processes one by one. If there are more, it processes this many
   * and reports `more`.
   */
  readonly roundRows: number;
  /** The same for rows that a near round only aggregates. */
  readonly backlogRows: number;
  /** Above this number a full recomputation is cheaper than processing the rows. */
  readonly rebaseRows: number;
  /** How many gaps are stored. */
  readonly gaps: number;
  /** How many births one range has. */
  readonly rangeRows: number;
}

export interface RoundOptions {
  readonly schema: string;
  /** `later`: groups that need recomputation are only marked, for example during a sweep. Default: `now`. */
  readonly recompute?: 'now' | 'later';
  /**
   * Whether a wide round compares the number of births with the running fingerprints, and recomputes them if
   * it differs. Default: true. A caller that proves the fingerprints must not repair them first.
   */
  readonly noticeDeletions?: boolean;
  /** Default: the setting `tail.limits`. */
  readonly limits?: Partial<TailLimits>;
  /** The time limit of one statement; a slower one is split into ranges. */
  readonly limitMs?: number;
}

export async function readLimits(tx: Transaction, given: Partial<TailLimits> = {}): Promise<TailLimits> {
  const fallback = {
    ...{ round_rows: 10_000, backlog_rows: BACKLOG_ROWS, rebase_rows: 100_000, gaps: 1_000 },
    range_rows: 50_000,
  };
  const setting = await readSetting(tx, tailLimits, fallback);
  const most = setting.backlog_rows ?? BACKLOG_ROWS;
  return {
    roundRows: given.roundRows ?? setting.round_rows,
    // A caller that limits only the rows processed one by one limits all rows.
    backlogRows: Math.min(given.backlogRows ?? given.roundRows ?? most, most),
    rebaseRows: given.rebaseRows ?? setting.rebase_rows,
    gaps: given.gaps ?? setting.gaps,
    rangeRows: given.rangeRows ?? setting.range_rows,
  };
}
