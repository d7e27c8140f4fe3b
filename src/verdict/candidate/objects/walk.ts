// Owns walking the rows of objects, in any state, so that no statement that reads all of them exceeds its
// time limit: all rows at once, and after a timeout ranges of their ids.
import type { Transaction } from '../../../db/index.js';
import { type IdRange, walkRanges } from '../../../inventory/snapshot/index.js';
import { readRowBounds } from './objects.sql.js';

/** A range of row ids. Exactly one range of a walk is the first, also if there are no rows. */
export interface RowRange extends IdRange {
  readonly isFirst: boolean;
}

/**
 * Runs `work` over ranges that cover all rows of objects. What it returns is called when the range has
 * succeeded.
 */
export async function walkObjectRows(
  tx: Transaction,
  /** In how many ranges the rows are read at first; default: one. */
  parts: number | undefined,
  work: (range: RowRange) => Promise<() => void>,
): Promise<void> {
  const { first_id, last_id } = await tx.one(readRowBounds, {});
  const whole = { first: first_id ?? 0n, last: last_id ?? 0n };
  await walkRanges(tx, whole, { limitMs: tx.statementTimeoutMs, parts: parts ?? 1 }, (range) =>
    work({ ...range, isFirst: range.first === whole.first }),
  );
}
