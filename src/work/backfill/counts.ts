// Owns the counts of a report that are read from the tables.
import type { Transaction } from '../../db/index.js';
import { countFailed, countRows } from './counts.sql.js';

export interface BackfillCounts {
  readonly groups: bigint;
  readonly candidateRows: bigint;
  readonly objects: bigint;
  readonly retrying: bigint;
  readonly deadLettered: bigint;
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
