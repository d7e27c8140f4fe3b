// Owns what this module adds to the product: its errors and settings.
import { defineModule } from '../../db/index.js';
import { scanErrors } from './errors.js';
import scanDownSql from './schema/scan.down.sql.js';
import scanSql from './schema/scan.sql.js';

export const scanModule = defineModule({
  name: 'scan',
  errors: [scanErrors],
  migration: { id: 17, name: 'scan', up: scanSql, down: scanDownSql },
});
