// Owns how long history is kept: the worker prunes what is older than the setting history.keep says, a
// limited number of rows in each transaction, and counts what it pruned. The functions of the database decide
// what may go.
import type { Transaction } from '../db/index.js';
import type { Lease } from '../record/cursor/index.js';
import {
  pruneDecisions,
  pruneDeliveries,
  pruneFeed,
  pruneHeld,
  pruneRetries,
  pruneRuns,
  readHistory,
} from './history.sql.js';

/** How many rows of a kind one transaction prunes: below 100 ms. */
const ROWS_AT_ONCE = 5_000;
const WRITE = { isolation: 'read committed', retries: 5 } as const;

export interface KeptHistory {
  readonly kind: string;
  /** Null: for ever. */
  readonly keepDays: number | null;
  /** How many rows the worker has pruned, in all. */
  readonly pruned: bigint;
  readonly prunedAt: string | null;
}

/** Prunes one batch of each kind, under the lease; returns how many rows. */
export async function pruneHistory(lease: Lease): Promise<number> {
  let pruned = 0;
  for (const statement of [pruneRuns, pruneRetries, pruneHeld, pruneDeliveries, pruneDecisions, pruneFeed])
    pruned += Number((await lease.work(WRITE, (tx) => tx.one(statement, { limit: ROWS_AT_ONCE }))).pruned);
  return pruned;
}

/** What is kept for how long, and what was pruned. */
export async function readKeptHistory(tx: Transaction): Promise<readonly KeptHistory[]> {
  return (await tx.run(readHistory, {})).map((row) => ({
    kind: row.kind,
    keepDays: row.keep_days,
    pruned: row.pruned,
    prunedAt: row.pruned_at,
  }));
}
