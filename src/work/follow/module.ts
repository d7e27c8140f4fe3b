// Owns what this module adds to the product: its errors.
import { defineModule } from '../../db/index.js';
import { followErrors } from './errors.js';

export const followModule = defineModule({
  name: 'follow',
  errors: [followErrors],
});
