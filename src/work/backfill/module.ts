// Owns what this module adds to the product: its errors, table and settings.
import { defineModule } from '../../db/index.js';
import { backfillErrors } from './errors.js';
import backfillDownSql from './schema/backfill.down.sql.js';
import backfillSql from './schema/backfill.sql.js';

export const backfillModule = defineModule({
  name: 'backfill',
  errors: [backfillErrors],
  migration: {
    id: 13,
    name: 'backfill',
    up: backfillSql,
    down: backfillDownSql,
  },
});
