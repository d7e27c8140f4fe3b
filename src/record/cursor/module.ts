// Owns the declaration of the cursor module: its tables, and the functions of leases, cursors, retries and
// heartbeats.
import { defineModule } from '../../db/index.js';
import { cursorErrors } from './errors.js';
import { historyKeep } from './history.js';
import { workerPaused } from './pause.js';
import purgeHeartbeatsSql from './purge-heartbeats.sql.js';
import { workerRetry } from './retry.js';
import cursorDownSql from './schema/cursor.down.sql.js';
import cursorSql from './schema/cursor.sql.js';
import heartbeatSql from './schema/heartbeat.sql.js';
import historySql from './schema/history.sql.js';
import leaseSql from './schema/lease.sql.js';
import retrySql from './schema/retry.sql.js';
import tablesSql from './schema/tables.sql.js';
import { workerWatch } from './watch.js';

export const cursorModule = defineModule({
  name: 'cursor',
  settings: [historyKeep, workerPaused, workerRetry, workerWatch],
  errors: [cursorErrors],
  migration: {
    id: 6,
    name: 'cursor',
    up: [tablesSql, leaseSql, cursorSql, retrySql, heartbeatSql, historySql].join('\n'),
    down: cursorDownSql,
  },
  purges: [purgeHeartbeatsSql],
});
