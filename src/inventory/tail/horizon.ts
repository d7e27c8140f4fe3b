// Owns the horizon: which rows may have been written since it, in one text for every statement that asks, and
// when it can no longer be believed. INVARIANT: a row that was invisible to a round and is visible later has
// an xmin at or above the lowest transaction that was running then; what is older than that was counted, and
// everything else is looked at again.
import { dbErrors, type Transaction } from '../../db/index.js';
import { type IdRange, walkRanges } from '../snapshot/index.js';
import { tailErrors } from './errors.js';
import { lockBirths, readFactsRow } from './horizon.sql.js';

export interface Facts {
  /**
   * The lowest transaction that is still running, and the first that has not begun, as the snapshot sees it.
   */
  readonly horizon: string;
  readonly upper: string;
  /** The number that ages are counted from. */
  readonly nextXid: bigint;
  readonly systemIdentifier: string;
  readonly timeline: string;
  /** Which files the table is in; other ones: it was rewritten. */
  readonly files: string;
  readonly pages: bigint;
  readonly at: string;
}

export type RebaseReason =
  | 'not_started'
  | 'horizon_too_old'
  | 'horizon_in_future'
  | 'cluster_changed'
  | 'timeline_changed'
  | 'relation_rewritten'
  | 'too_many_rows';

/** Half of what ages can tell apart, with room to spare. */
const OLDEST_HORIZON = 1_000_000_000n;

/** Whoever rewrites a table leaves it empty for snapshots that are older: begin again with a newer one. */
function rewrittenMeanwhile(): Error {
  const cause = Object.assign(new Error('birth_registry was rewritten after the snapshot was taken'), {
    code: '40001',
  });
  return dbErrors.serialization_failure(cause.message, { cause });
}

export function requireOneSnapshot(isolation: string): void {
  if (isolation === 'repeatable read' || isolation === 'serializable') return;
  throw tailErrors.tail_isolation(`a round of the tail in a transaction that is ${isolation}`);
}

/** What the round's snapshot is worth; from here on nobody can rewrite the table. */
export async function readFacts(tx: Transaction): Promise<Facts> {
  await tx.run(lockBirths, {});
  const row = await tx.one(readFactsRow, {});
  requireOneSnapshot(row.isolation);
  if (row.files_seen !== row.files) throw rewrittenMeanwhile();
  return {
    horizon: row.horizon,
    upper: row.upper,
    nextXid: row.next_xid,
    systemIdentifier: row.system_identifier,
    timeline: row.timeline,
    files: row.files,
    pages: row.pages,
    at: row.at,
  };
}

export interface Believed {
  readonly horizon: string;
  readonly systemIdentifier: string;
  readonly timeline: string;
  readonly files: string;
}

/** Why what was believed can no longer be; undefined where it can. */
export function rebaseReason(
  believed: Believed,
  facts: Omit<Believed, 'horizon'> & Pick<Facts, 'upper'>,
): RebaseReason | undefined {
  const [lo, upper] = [BigInt(believed.horizon), BigInt(facts.upper)];
  if (believed.systemIdentifier !== facts.systemIdentifier) return 'cluster_changed';
  if (believed.timeline !== facts.timeline) return 'timeline_changed';
  if (lo > upper) return 'horizon_in_future';
  if (upper - lo > OLDEST_HORIZON) return 'horizon_too_old';
  return believed.files === facts.files ? undefined : 'relation_rewritten';
}

/** Runs `work` over the whole table at once, or, where that takes too long, over ranges of its pages. */
export function walkPages(
  tx: Transaction,
  facts: Facts,
  options: { readonly limitMs: number; readonly parts: number },
  work: (range: IdRange | undefined) => Promise<() => void>,
): Promise<number> {
  // The table may have grown since: what came later is invisible, but in a page that was there it need not
  // be.
  const whole = { first: 0n, last: facts.pages };
  return walkRanges(tx, whole, options, (range) =>
    work(range.first === whole.first && range.last === whole.last ? undefined : range),
  );
}
