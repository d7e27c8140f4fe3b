// Owns the declaration of the finding module: its tables, the catalogue of findings, and the functions that
// write findings.
import { defineModule } from '../../db/index.js';
import { findingSettings } from './catalogue.js';
import catalogueSql from './catalogue.sql.js';
import { findingErrors } from './errors.js';
import findingDownSql from './finding.down.sql.js';
import functionsSql from './functions.sql.js';
import purgeSql from './purge.sql.js';
import tablesSql from './tables.sql.js';

export const findingModule = defineModule({
  name: 'finding',
  settings: [...findingSettings],
  errors: [findingErrors],
  migration: {
    id: 4,
    name: 'finding',
    up: `${tablesSql}\n${catalogueSql}\n${functionsSql}`,
    down: findingDownSql,
  },
  purges: [purgeSql],
});
