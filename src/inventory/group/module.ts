// Owns the parts of this module: its tables, the class map, and the settings of coverage profiles.
import { defineModule } from '../../db/index.js';
import { profileSettingsDownSql, profileSettingsSql } from '../../host/index.js';
import classMapSql from './class-map.sql.js';
import tablesDownSql from './tables.down.sql.js';
import tablesSql from './tables.sql.js';

export const groupModule = defineModule({
  name: 'group',
  migration: {
    id: 8,
    name: 'inventory',
    up: `${profileSettingsSql}\n${tablesSql}\n${classMapSql}`,
    down: `${tablesDownSql}\n${profileSettingsDownSql}`,
  },
});
