// Owns what this module adds to the product: the tables in which the tail remembers what it has seen.
import { defineModule } from '../../db/index.js';
import { tailErrors } from './errors.js';
import tailDownSql from './schema/tail.down.sql.js';
import tailSql from './schema/tail.sql.js';

export const tailModule = defineModule({
  name: 'tail',
  errors: [tailErrors],
  migration: { id: 11, name: 'tail', up: tailSql, down: tailDownSql },
});
