// Owns the declaration of the module that lets an act be repeated without being done twice.
import { defineModule } from '../../db/index.js';
import { onceErrors } from './errors.js';
import downSql from './schema/once.down.sql.js';
import upSql from './schema/once.sql.js';

export const onceModule = defineModule({
  name: 'once',
  errors: [onceErrors],
  migration: { id: 29, name: 'once', up: upSql, down: downSql },
});
