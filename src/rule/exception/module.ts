// Owns the parts of this module: its tables, and the functions that grant exceptions and compute their
// status.
import { defineModule } from '../../db/index.js';
import { exceptionErrors } from './errors.js';
import actsSql from './schema/acts.sql.js';
import effectSql from './schema/effect.sql.js';
import exceptionDownSql from './schema/exception.down.sql.js';
import statusSql from './schema/status.sql.js';
import tablesSql from './schema/tables.sql.js';
import { exceptionLimits } from './settings.js';

export const exceptionModule = defineModule({
  name: 'exception',
  settings: [exceptionLimits],
  errors: [exceptionErrors],
  migration: {
    id: 16,
    name: 'exception',
    up: [tablesSql, statusSql, effectSql, actsSql].join('\n'),
    down: exceptionDownSql,
  },
});
