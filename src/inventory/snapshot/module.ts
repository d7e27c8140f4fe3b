// Owns the parts of this module: the functions that append and prune snapshots.
import { defineModule } from '../../db/index.js';
import { snapshotErrors } from './errors.js';
import migrationDownSql from './migration.down.sql.js';
import migrationSql from './migration.sql.js';
import pruneSql from './prune.sql.js';
import purgeSql from './purge.sql.js';

export const snapshotModule = defineModule({
  name: 'snapshot',
  errors: [snapshotErrors],
  migration: {
    id: 9,
    name: 'snapshot',
    up: [migrationSql, pruneSql].join('\n'),
    down: migrationDownSql,
  },
  purges: [purgeSql],
});
