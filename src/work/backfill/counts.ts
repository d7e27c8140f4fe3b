// Owns the numbers of a report that are read from the tables.
import { statement, type Transaction } from '../../db/index.js';
import countFailedSql from './count-failed.sql.js';
import countRowsSql from './count-rows.sql.js';

const countRows = statement({
  name: 'backfill.count_rows',
  sql: countRowsSql,
  params: {},
  columns: { groups: 'int8', object_rows: 'int8', objects: 'int8' },
});
const countFailed = statement({
  name: 'backfill.count_failed',
  sql: countFailedSql,
  params: {},
  columns: { retrying: 'int8', dead: 'int8' },
});
export const countStatements = [countRows, countFailed];

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
