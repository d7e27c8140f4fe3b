// Owns the parts of this module: the functions that append and prune snapshots.
import { defineModule } from '../../db/index.js';
import { snapshotErrors } from './errors.js';
import { countTolerance } from './gap.js';
import migrationDownSql from './migration.down.sql.js';
import migrationSql from './migration.sql.js';
import pruneSql from './prune.sql.js';
import purgeSql from './purge.sql.js';
import { minimumAge } from './settings.js';
import { snapshotKeep } from './snapshots.js';

export const snapshotModule = defineModule({
  name: 'snapshot',
  settings: [snapshotKeep, countTolerance, minimumAge],
  errors: [snapshotErrors],
  migration: {
    id: 9,
    name: 'snapshot',
    up: [migrationSql, pruneSql].join('\n'),
    down: migrationDownSql,
  },
  purges: [purgeSql],
});
