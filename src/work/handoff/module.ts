// Owns what this module adds to the product: its tables and settings.
import { defineModule } from '../../db/index.js';
import { handoffErrors } from './errors.js';
import handoffDownSql from './schema/handoff.down.sql.js';
import handoffSql from './schema/handoff.sql.js';

export const handoffModule = defineModule({
  name: 'handoff',
  errors: [handoffErrors],
  migration: {
    id: 15,
    name: 'handoff',
    up: handoffSql,
    down: handoffDownSql,
  },
});
