// Owns what this module adds to the product: its errors.
import { defineModule } from '../../db/index.js';
import { scanAudit } from '../audit.js';
import { workerErrors } from './errors.js';

export const workerModule = defineModule({
  name: 'worker',
  settings: [scanAudit],
  errors: [workerErrors],
});
