// Owns the parts of this module: its tables and the class map.
import { defineModule } from '../../db/index.js';
import classMapSql from './class-map.sql.js';
import tablesDownSql from './tables.down.sql.js';
import tablesSql from './tables.sql.js';

export const groupModule = defineModule({
  name: 'group',
  migration: {
    id: 8,
    name: 'inventory',
    up: `${tablesSql}\n${classMapSql}`,
    down: tablesDownSql,
  },
});
