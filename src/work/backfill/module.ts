// Owns what this module adds to the product: its errors, table and settings.
import { defineModule } from '../../db/index.js';
import { backfillErrors } from './errors.js';
import { backfillGuard } from './guard.js';
import { backfillPace } from './pace.js';
import backfillDownSql from './schema/backfill.down.sql.js';
import backfillSql from './schema/backfill.sql.js';

export const backfillModule = defineModule({
  name: 'backfill',
  settings: [backfillPace, backfillGuard],
  errors: [backfillErrors],
  migration: {
    id: 13,
    name: 'backfill',
    up: backfillSql,
    down: backfillDownSql,
  },
});
