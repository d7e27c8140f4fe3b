// Owns the declaration of the feed module: its tables, the functions that write and number them, and the
// triggers that write entries about the tables of other modules. Its migration comes after theirs.
import { defineModule } from '../../db/index.js';
import feedDownSql from './schema/feed.down.sql.js';
import numberSql from './schema/number.sql.js';
import tablesSql from './schema/tables.sql.js';
import writeSql from './schema/write.sql.js';

export const feedModule = defineModule({
  name: 'feed',
  migration: { id: 31, name: 'feed', up: [tablesSql, writeSql, numberSql].join('\n'), down: feedDownSql },
});
