// Owns the declaration of the db module: its errors, and the base migration with the tables for migrations,
// grants and settings that all other modules depend on.
import { embeddedErrors } from './embedded/errors.js';
import { dbErrors } from './errors.js';
import baseDownSql from './migration/base.down.sql.js';
import baseSql from './migration/base.sql.js';
import { schemaErrors } from './migration/errors.js';
import { defineModule } from './module.js';
import { settingErrors } from './setting.js';

export const dbModule = defineModule({
  name: 'db',
  errors: [dbErrors, embeddedErrors, schemaErrors, settingErrors],
  migration: { id: 1, name: 'base', up: baseSql, down: baseDownSql },
});
