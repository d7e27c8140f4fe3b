// Owns finding the few items that fail among many: the whole is tried first, then halves, each behind a savepoint, down to
// single items. What fails alone is returned with its error; everything else has been done.
import { isConnectionLoss, isSerializationFailure, type Transaction } from '../../db/index.js';
import { GcosError, hasCode } from '../../kernel/index.js';

/** Nothing to do with any single item: the transaction as a whole is to be repeated, or given up. */
const OF_THE_WHOLE = [
  'lease_lost',
  'operation_cancelled',
  'privilege_missing',
  'schema_mismatch',
  'database_full',
  'database_read_only',
  'lock_timeout',
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

/** Does `work` for all of `items`; returns those for which it failed. */
export async function tryAll<T>(
  tx: Transaction,
  items: readonly T[],
  work: (items: readonly T[]) => Promise<unknown>,
): Promise<readonly Failed<T>[]> {
  if (items.length === 0) return [];
  try {
    await tx.savepoint(() => work(items));
    return [];
  } catch (error) {
    if (!isOfOneItem(error)) throw error;
    const [item] = items;
    if (items.length === 1 && item !== undefined) return [{ item, error }];
    const middle = Math.ceil(items.length / 2);
    return [
      ...(await tryAll(tx, items.slice(0, middle), work)),
      ...(await tryAll(tx, items.slice(middle), work)),
    ];
  }
}

export interface Range {
  readonly first: bigint;
  readonly last: bigint;
}

/** The same for a range of ids. */
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
