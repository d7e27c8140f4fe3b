// Owns what this layer adds to the product: the tables of migrations and settings, on which everything else stands, and its errors.
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
