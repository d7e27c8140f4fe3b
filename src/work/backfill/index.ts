import type { Migration } from '../../db/index.js';
import { runStatements } from './backfill.js';
import { countStatements } from './counts.js';
import { guardStatements } from './guard.js';
import { partialStatements } from './partial.js';
import backfillDownSql from './schema/backfill.down.sql.js';
import backfillSql from './schema/backfill.sql.js';

export { type BackfillOptions, type BackfillStatus, Backfills } from './backfills.js';
export { backfillErrors } from './errors.js';
export { Pace, type PaceOptions } from './pace.js';
export type { BackfillPhase, BackfillProgress, BackfillReport } from './report.js';
export { splitIds } from './state.js';

export const backfillStatements = [
  ...runStatements,
  ...guardStatements,
  ...partialStatements,
  ...countStatements,
];

export const backfillMigration: Migration = {
  id: 13,
  name: 'backfill',
  up: backfillSql,
  down: backfillDownSql,
};
