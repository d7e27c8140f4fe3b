// Owns failed items. The worker retries them with a growing delay; after the last attempt they become dead
// letters. No item is ever dropped before a worker has processed it.
import { z } from 'zod';
import { defineSetting, readSetting, type Transaction } from '../../db/index.js';
import { storableJson, storableText } from '../../kernel/index.js';
import { translating } from './errors.js';
import type { Lease } from './lease.js';
import { completeRetryRows, dueRetryRows, recordFailureRows } from './retry.sql.js';

/** The function of the database reads it; here, a wrong form is refused. */
const retrySetting = z.strictObject({
  attempts: z.int().min(1).max(1_000),
  base_seconds: z.number().positive().max(86_400),
  cap_seconds: z.number().positive().max(2_592_000),
});
export const workerRetry = defineSetting({
  key: 'worker.retry',
  form: retrySetting,
  default: { attempts: 5, base_seconds: 10, cap_seconds: 3600 },
  about:
    'the number of attempts after which an item becomes a dead letter; the wait between attempts doubles from base to cap',
});

export interface Failure {
  /** The failed item: its table, and its key in that table. */
  readonly table: string;
  readonly ref: string;
  readonly error: unknown;
  /** Data for the retry: addresses and counts, never the contents of an object. */
  readonly detail?: Readonly<Record<string, unknown>>;
}

export interface RecordedFailure {
  readonly table: string;
  readonly ref: string;
  readonly failures: number;
  /** Null: that was the last attempt; the item is now a dead letter. */
  readonly nextAttemptAt: string | null;
}

const ERROR_LENGTH = 500;

function errorText(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return storableText(text.length > ERROR_LENGTH ? `${text.slice(0, ERROR_LENGTH)}…` : text);
}

/** Records failed items under the lease's fence. A repeated failure increments the count of the same row. */
export async function recordFailures(
  tx: Transaction,
  lease: Lease,
  round: string,
  failures: readonly Failure[],
): Promise<RecordedFailure[]> {
  if (failures.length === 0) return [];
  await readSetting(tx, workerRetry);
  const { worker, source, fence } = lease;
  const rows = await translating({ round }, () =>
    tx.run(recordFailureRows, {
      worker,
      source,
      round,
      fence,
      tables: failures.map((each) => each.table),
      refs: failures.map((each) => each.ref),
      addresses: failures.map((each) => `${each.table}:${each.ref}`),
      errors: failures.map((each) => errorText(each.error)),
      details: failures.map((each) => storableJson(each.detail ?? {})),
    }),
  );
  return rows.map((row) => ({
    table: row.failed_table,
    ref: row.failed_ref,
    failures: row.failures,
    nextAttemptAt: row.next_attempt,
  }));
}

export interface DueRetry {
  readonly id: string;
  readonly source: string;
  readonly table: string;
  readonly ref: string;
  readonly failures: number;
  readonly lastError: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** The items that are due for a retry at the time `at`, longest waiting first. */
export async function dueRetries(
  tx: Transaction,
  lease: Pick<Lease, 'worker'> & { readonly source?: string },
  at: string,
  limit: number,
): Promise<DueRetry[]> {
  const rows = await tx.run(dueRetryRows, {
    worker: lease.worker,
    source: lease.source ?? null,
    at,
    limit,
  });
  return rows.map((row) => ({
    id: row.id,
    source: row.source,
    table: row.failed_table,
    ref: row.failed_ref,
    failures: row.failures,
    lastError: row.last_error,
    detail: JSON.parse(row.detail) as Record<string, unknown>,
  }));
}

/**
 * Marks retries of the lease's source as completed, under its fence. Call it in the transaction in which they
 * succeeded.
 */
export async function completeRetries(
  tx: Transaction,
  lease: Lease,
  round: string,
  ids: readonly string[],
): Promise<bigint> {
  if (ids.length === 0) return 0n;
  const { worker, source, fence } = lease;
  const row = await translating({ round }, () =>
    tx.one(completeRetryRows, { worker, source, round, fence, ids }),
  );
  return row.completed;
}
