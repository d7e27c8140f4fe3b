// Owns what this module adds to the product: its errors.
import { defineModule } from '../../db/index.js';
import { closingErrors } from './errors.js';

export const closingModule = defineModule({
  name: 'closing',
  errors: [closingErrors],
});
