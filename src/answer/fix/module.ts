// Owns what this module adds to the product: its errors.
import { defineModule } from '../../db/index.js';
import { fixErrors } from './errors.js';

export const fixModule = defineModule({
  name: 'fix',
  errors: [fixErrors],
});
