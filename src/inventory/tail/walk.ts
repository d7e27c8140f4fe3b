// Owns reading all births in pages, by primary key: a search of the whole table is many statements of limited
// size, in one snapshot. A page that exceeds the statement time-out is halved; a quick page is followed by a
// larger one. INVARIANT: every birth with an id is in exactly one page, so results do not depend on their
// size.
import type { Transaction } from '../../db/index.js';
import { hasCode } from '../../kernel/index.js';
import type { IdRange } from '../snapshot/index.js';
import { requireOneSnapshot } from './horizon.js';
import { sweepPage } from './source.sql.js';

/** Limits what one statement holds in memory. A million births are read in less than a second. */
const LARGEST_PAGE = 1_000_000;
const QUICK_MS = 500;
const LOWEST = -(1n << 63n);

export interface WalkBirthsOptions {
  /** How many births a page has at most. */
  readonly pageSize?: number;
  /** Called after each page with the number of births read so far. */
  readonly onPage?: (births: bigint) => void;
  /** Whether no further page is needed. */
  readonly isEnough?: () => boolean;
}

/**
 * Runs `work` for all births with an id, in ascending pages, in the caller's repeatable-read transaction.
 * What `work` returns is called when the whole page has succeeded.
 */
export async function walkBirths(
  tx: Transaction,
  options: WalkBirthsOptions,
  work: (page: IdRange) => Promise<() => void>,
): Promise<void> {
  const { onPage, isEnough = () => false } = options;
  let largest = options.pageSize ?? LARGEST_PAGE;
  let size = largest;
  let births = 0n;
  let first = LOWEST;
  while (!isEnough()) {
    const started = performance.now();
    try {
      const page = await tx.savepoint(async () => {
        const after = first === LOWEST ? null : first - 1n;
        const {
          last_id: last,
          scanned,
          isolation,
        } = await tx.one(sweepPage, {
          ...{ after, upTo: null, limit: BigInt(size) },
        });
        requireOneSnapshot(isolation);
        return last === null ? undefined : { last, scanned, add: await work({ first, last }) };
      });
      if (page === undefined) return;
      page.add();
      births += page.scanned;
      first = page.last + 1n;
      onPage?.(births);
    } catch (error) {
      if (!hasCode(error, 'statement_timeout') || size === 1) throw error;
      // What was too large once is not tried again.
      size = Math.ceil(size / 2);
      largest = size;
      continue;
    }
    if (performance.now() - started < QUICK_MS) size = Math.min(size * 2, largest);
  }
}
