// Owns what this module adds to the product: the summary views.
import { defineModule } from '../../db/index.js';
import viewsDownSql from './views.down.sql.js';
import viewsSql from './views.sql.js';

export const viewModule = defineModule({
  name: 'view',
  migration: { id: 18, name: 'view', up: viewsSql, down: viewsDownSql },
});
