// Owns the parts of this module: the tables that store which rows the tail has seen.
import { defineModule } from '../../db/index.js';
import { tailErrors } from './errors.js';
import { tailLimits } from './limits.js';
import tailDownSql from './schema/tail.down.sql.js';
import tailSql from './schema/tail.sql.js';

export const tailModule = defineModule({
  name: 'tail',
  settings: [tailLimits],
  errors: [tailErrors],
  migration: { id: 11, name: 'tail', up: tailSql, down: tailDownSql },
});
