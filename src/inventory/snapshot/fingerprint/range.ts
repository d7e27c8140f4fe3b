// Owns walking a table by primary key so that no statement exceeds its time limit: first one range, and after
// a timeout half of it. A savepoint preserves the transaction, and with it the snapshot.
import type { Transaction } from '../../../db/index.js';
import { hasCode } from '../../../kernel/index.js';
import { snapshotErrors } from '../errors.js';

export interface IdRange {
  readonly first: bigint;
  readonly last: bigint;
}

export interface WalkOptions {
  /**
   * The time limit of one statement, as set for the transaction. An earlier cancellation is not a timeout.
   */
  readonly limitMs: number;
  /** The initial number of ranges; default: one. */
  readonly parts?: number;
  /** Called before each range; an error it throws ends the walk. */
  readonly beforeRange?: () => void;
  /** Called after each range with the share of the whole that has been walked. */
  readonly afterRange?: (share: number) => void;
}

/** If a range takes less than this share of the limit, the next range is twice as wide. */
const QUICK = 0.2;
/** The client notices a timeout slightly late, never early; the factor allows for rounding. */
const EARLY = 0.9;

function isTimeout(error: unknown, tookMs: number, limitMs: number): boolean {
  return hasCode(error, 'statement_timeout') && tookMs >= limitMs * EARLY;
}

/** Runs `work` over `whole`, in ascending ranges without gap or overlap; returns the number of ranges. */
export async function walkRanges(
  tx: Transaction,
  whole: IdRange,
  options: WalkOptions,
  work: (range: IdRange) => Promise<(() => void) | undefined>,
): Promise<number> {
  let width = (whole.last - whole.first) / BigInt(options.parts ?? 1) + 1n;
  let first = whole.first;
  let ranges = 0;
  while (first <= whole.last) {
    options.beforeRange?.();
    const last = first + width - 1n < whole.last ? first + width - 1n : whole.last;
    const started = performance.now();
    try {
      // The result of a range is added only after the whole range succeeded.
      const add = await tx.savepoint(() => work({ first, last }));
      add?.();
    } catch (error) {
      if (!isTimeout(error, performance.now() - started, options.limitMs)) throw error;
      if (first === last)
        throw snapshotErrors.snapshot_too_slow(
          `one row (id ${first}) takes longer than ${options.limitMs} ms`,
          {
            cause: error,
          },
        );
      width = (last - first + 1n) / 2n;
      continue;
    }
    ranges += 1;
    first = last + 1n;
    options.afterRange?.(Number(first - whole.first) / Number(whole.last - whole.first + 1n));
    if (performance.now() - started < options.limitMs * QUICK) width *= 2n;
  }
  return ranges;
}
