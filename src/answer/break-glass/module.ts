// Owns what this module adds to the product: its tables and the functions that open and close passes.
import { defineModule } from '../../db/index.js';
import { breakGlassErrors } from './errors.js';
import { breakGlassLimits } from './pass.js';
import actsSql from './schema/acts.sql.js';
import breakGlassDownSql from './schema/break-glass.down.sql.js';
import statusSql from './schema/status.sql.js';
import tablesSql from './schema/tables.sql.js';

export const breakGlassModule = defineModule({
  name: 'break-glass',
  settings: [breakGlassLimits],
  errors: [breakGlassErrors],
  migration: {
    id: 20,
    name: 'break-glass',
    up: [tablesSql, statusSql, actsSql].join('\n'),
    down: breakGlassDownSql,
  },
});
