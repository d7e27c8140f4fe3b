// Owns what this module adds to the product: its errors, setting and the question of an idle worker.
import { defineModule } from '../../db/index.js';
import { scanAudit } from '../audit.js';
import { workerErrors } from './errors.js';
import pulseDownSql from './schema/pulse.down.sql.js';
import pulseSql from './schema/pulse.sql.js';

export const workerModule = defineModule({
  name: 'worker',
  settings: [scanAudit],
  errors: [workerErrors],
  migration: { id: 22, name: 'worker', up: pulseSql, down: pulseDownSql },
});
