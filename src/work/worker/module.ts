// Owns what this module adds to the product: its errors.
import { defineModule } from '../../db/index.js';
import { workerErrors } from './errors.js';

export const workerModule = defineModule({
  name: 'worker',
  errors: [workerErrors],
});
