// Owns what this module adds to the product: its errors.
import { defineModule } from '../../db/index.js';
import { planErrors } from './errors.js';

export const planModule = defineModule({
  name: 'plan',
  errors: [planErrors],
});
