// Owns the search for failing items: it tries all items first, then halves, each in a savepoint, down to
// single items. It returns each item that fails alone with its error; all other items have been processed.
import { isConnectionLoss, isSerializationFailure, type Transaction } from '../../db/index.js';
import { GcosError, hasCode } from '../../kernel/index.js';

/** Errors that concern no single item: the caller must repeat or abandon the whole transaction. */
const OF_THE_WHOLE = [
  'lease_lost',
  'scan_canary_missed',
  'operation_cancelled',
  'privilege_missing',
  'schema_mismatch',
  'database_exhausted',
  'database_full',
  'database_read_only',
  'lock_timeout',
  'statement_cancelled',
  'workers_paused',
];

function isOfOneItem(error: unknown): boolean {
  if (!(error instanceof GcosError)) return false;
  if (isConnectionLoss(error) || isSerializationFailure(error)) return false;
  return !OF_THE_WHOLE.some((code) => hasCode(error, code));
}

export interface Failed<T> {
  readonly item: T;
  readonly error: unknown;
}

/**
 * Runs `work` for all of `items`; returns those that failed. If `wholeAfter` items have failed and none has
 * succeeded, the cause is not in the items: the error is thrown.
 */
export async function tryAll<T>(
  tx: Transaction,
  items: readonly T[],
  work: (items: readonly T[]) => Promise<unknown>,
  wholeAfter = Number.POSITIVE_INFINITY,
): Promise<readonly Failed<T>[]> {
  const failed: Failed<T>[] = [];
  let succeeded = false;
  const attempt = async (part: readonly T[]): Promise<void> => {
    if (part.length === 0) return;
    try {
      await tx.savepoint(() => work(part));
      succeeded = true;
    } catch (error) {
      if (!isOfOneItem(error)) throw error;
      const [item] = part;
      if (part.length === 1 && item !== undefined) {
        failed.push({ item, error });
        if (!succeeded && failed.length >= wholeAfter) throw error;
        return;
      }
      const middle = Math.ceil(part.length / 2);
      await attempt(part.slice(0, middle));
      await attempt(part.slice(middle));
    }
  };
  await attempt(items);
  return failed;
}

export interface Range {
  readonly first: bigint;
  readonly last: bigint;
}

/** Does the same for a range of ids. */
export async function tryRange(
  tx: Transaction,
  range: Range,
  work: (range: Range) => Promise<unknown>,
): Promise<readonly Failed<bigint>[]> {
  try {
    await tx.savepoint(() => work(range));
    return [];
  } catch (error) {
    if (!isOfOneItem(error)) throw error;
    const { first, last } = range;
    if (first === last) return [{ item: first, error }];
    const middle = first + (last - first) / 2n;
    return [
      ...(await tryRange(tx, { first, last: middle }, work)),
      ...(await tryRange(tx, { first: middle + 1n, last }, work)),
    ];
  }
}
