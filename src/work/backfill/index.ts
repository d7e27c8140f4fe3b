import type { Migration } from '../../db/index.js';

import backfillDownSql from './schema/backfill.down.sql.js';
import backfillSql from './schema/backfill.sql.js';

export { type BackfillOptions, type BackfillStatus, Backfills } from './backfills.js';
export { backfillErrors } from './errors.js';
export { Pace, type PaceOptions } from './pace.js';
export type { BackfillPhase, BackfillProgress, BackfillReport } from './report.js';
export { splitIds } from './state.js';

export const backfillMigration: Migration = {
  id: 13,
  name: 'backfill',
  up: backfillSql,
  down: backfillDownSql,
};
