// Owns the parts of this module: the marks of managed rows.
import { defineModule } from '../../db/index.js';
import { configurationErrors } from './errors.js';
import managedDownSql from './schema/managed.down.sql.js';
import managedSql from './schema/managed.sql.js';

export const configurationModule = defineModule({
  name: 'configuration',
  errors: [configurationErrors],
  migration: { id: 25, name: 'configuration', up: managedSql, down: managedDownSql },
});
