// Owns the declaration of the log module: its tables, and the triggers that record what happens. Its
// migration comes last, because it records the tables of other modules.
import { defineModule } from '../../db/index.js';
import { logErrors } from './errors.js';
import appendSql from './migration/append.sql.js';
import logDownSql from './migration/log.down.sql.js';
import recordSql from './migration/record.sql.js';
import sealSql from './migration/seal.sql.js';
import tablesSql from './migration/tables.sql.js';

export const logModule = defineModule({
  name: 'log',
  errors: [logErrors],
  migration: {
    id: 21,
    name: 'log',
    up: [tablesSql, appendSql, sealSql, recordSql].join('\n'),
    down: logDownSql,
  },
});
