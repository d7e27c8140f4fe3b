// Owns what this module adds to the product: its errors.
import { defineModule } from '../../db/index.js';
import { explainErrors } from './errors.js';

export const explainModule = defineModule({
  name: 'explain',
  errors: [explainErrors],
});
