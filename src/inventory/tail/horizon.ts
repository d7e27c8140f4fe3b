// Owns the horizon: the condition for rows that may have been written since it, as one SQL text for all
// statements, and the checks that invalidate it. INVARIANT: a row that was invisible to a round and is
// visible later has an xmin at or above the lowest transaction that was running then. Rows below that are
// already counted; all others are read again.
import { dbErrors, type Transaction } from '../../db/index.js';
import { type IdRange, walkRanges } from '../snapshot/index.js';
import { tailErrors } from './errors.js';
import { lockBirths, readFactsRow } from './horizon.sql.js';

export interface Facts {
  /** The lowest transaction still running, and the first not yet started, as the snapshot sees it. */
  readonly horizon: string;
  readonly upper: string;
  /** The transaction id from which ages are counted. */
  readonly nextXid: bigint;
  readonly systemIdentifier: string;
  readonly timeline: string;
  /** The files of the table; a change means that the table was rewritten. */
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

/** Half of the range that ages can distinguish, with a safety margin. */
const OLDEST_HORIZON = 1_000_000_000n;

/** A rewritten table appears empty to older snapshots: the round must start again with a newer snapshot. */
const rewrittenMeanwhile = (): Error =>
  dbErrors.serialization_failure('birth_registry was rewritten after the snapshot was taken');

export function requireOneSnapshot(isolation: string): void {
  if (isolation === 'repeatable read' || isolation === 'serializable') return;
  throw tailErrors.tail_isolation(`the transaction of a round of the tail is ${isolation}`);
}

/** Reads and checks the facts about the round's snapshot. From here on no session can rewrite the table. */
export async function readFacts(tx: Transaction): Promise<Facts> {
  await tx.run(lockBirths, {});
  const row = await tx.one(readFactsRow, {});
  requireOneSnapshot(row.isolation);
  if (row.files_seen !== row.files) throw rewrittenMeanwhile();
  if (row.unreadable.length > 0)
    throw tailErrors.tail_source_unreadable(
      `${row.unreadable.map((name) => `\`${name}\``).join(', ')}: a part of birth_registry without row versions`,
    );
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

/** Why the stored state can no longer be trusted; undefined when it can. */
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

/** The time limit of one statement, and the number of ranges to begin with. */
export interface Walking {
  readonly limitMs: number;
  readonly parts: number;
}

/**
 * All pages. The table may have grown since. Later rows are invisible, but a page that existed then may
 * contain visible ones.
 */
export const wholeOf = (facts: Facts): IdRange => ({ first: 0n, last: facts.pages });

/** Runs `work` over the whole table at once or, if that takes too long, over ranges of its pages. */
export function walkPages(
  tx: Transaction,
  facts: Facts,
  options: Walking,
  work: (range: IdRange | undefined) => Promise<() => void>,
): Promise<number> {
  const whole = wholeOf(facts);
  return walkRanges(tx, whole, options, (range) =>
    work(range.first === whole.first && range.last === whole.last ? undefined : range),
  );
}
