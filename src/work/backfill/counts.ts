// Owns the counts of a report that are read from the tables.
import type { Transaction } from '../../db/index.js';
import { countFailed, countRows, countVerdicts } from './counts.sql.js';

export interface BackfillCounts {
  readonly groups: bigint;
  readonly candidateRows: bigint;
  readonly objects: bigint;
  readonly retrying: bigint;
  readonly deadLettered: bigint;
}

/**
 * The summary of a run for its cursor: the births swept, and what the live rows say at its end. `failed`
 * includes the births that are set aside.
 */
export async function summaryOf(
  tx: Transaction,
  scanned: bigint,
  { retrying, deadLettered }: BackfillCounts,
): Promise<Readonly<Record<string, string>>> {
  const { relevant, failed, ...rest } = await tx.one(countVerdicts, {});
  const counts = {
    scanned,
    candidates_relevant: relevant,
    ...rest,
    failed: failed + retrying + deadLettered,
  };
  return Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, String(count)]));
}

export async function readCounts(tx: Transaction): Promise<BackfillCounts> {
  const rows = await tx.one(countRows, {});
  const failed = await tx.one(countFailed, {});
  return {
    groups: rows.groups,
    candidateRows: rows.groups + rows.object_rows,
    objects: rows.objects,
    retrying: failed.retrying,
    deadLettered: failed.dead,
  };
}
