// Owns walking a table by primary key so that no statement runs longer than its limit: one range first, and after a time-out
// half of it. The transaction, and with it the state of the table that is seen, survives behind a savepoint.
import type { Transaction } from '../../../db/index.js';
import { hasCode } from '../../../kernel/index.js';
import { snapshotErrors } from '../errors.js';

export interface IdRange {
  readonly first: bigint;
  readonly last: bigint;
}

export interface WalkOptions {
  /** What one statement may take, as set for the transaction. A cancellation that comes earlier is not a time-out. */
  readonly limitMs: number;
  /** How many ranges to begin with; one unless said otherwise. */
  readonly parts?: number;
  /** Called before each range; what it throws ends the walk. */
  readonly beforeRange?: () => void;
}

/** Faster than this share of the limit, and the next range is twice as wide. */
const QUICK = 0.2;
/** Time-outs are noticed by the client a little after, never before. */
const EARLY = 0.9;

function isTimeout(error: unknown, tookMs: number, limitMs: number): boolean {
  return hasCode(error, 'statement_timeout') && tookMs >= limitMs * EARLY;
}

/** Runs `work` over `whole`, in ascending ranges without gap or overlap; returns how many it took. */
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
      // What a range contributes is added only after it has come through whole.
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
    if (performance.now() - started < options.limitMs * QUICK) width *= 2n;
  }
  return ranges;
}
