// Owns what this module adds to the product: its errors and settings.
import { defineModule } from '../../db/index.js';
import { coverageSettings, legacyDeadline } from '../../verdict/coverage/index.js';
import { detectorLimits } from '../../verdict/detector/index.js';
import { scanPace, scanRisk } from './backlog.js';
import { scanErrors } from './errors.js';
import scanDownSql from './schema/scan.down.sql.js';
import scanSql from './schema/scan.sql.js';
import { scanLag } from './watch.js';

export const scanModule = defineModule({
  name: 'scan',
  settings: [scanPace, scanRisk, scanLag, ...coverageSettings, legacyDeadline, detectorLimits],
  errors: [scanErrors],
  migration: { id: 17, name: 'scan', up: scanSql, down: scanDownSql },
});
