// Owns the room's part of the schema: tables and the functions that write them, and the host's event tables, for GCOS.
import type { Migration } from '../../../db/index.js';
import deliverSql from './deliver-function.sql.js';
import emitSql from './emit-function.sql.js';
import downSql from './event.down.sql.js';
import inboxSql from './inbox-functions.sql.js';
import promoteSql from './promote-function.sql.js';
import tablesSql from './tables.sql.js';
import typesSql from './type-functions.sql.js';

export const eventMigration: Migration = {
  id: 7,
  name: 'event',
  up: [tablesSql, typesSql, deliverSql, emitSql, promoteSql, inboxSql].join('\n'),
  down: downSql,
};
