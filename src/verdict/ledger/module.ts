// Owns what this module adds to the product: its errors.
import { defineModule } from '../../db/index.js';
import { ledgerErrors } from './errors.js';

export const ledgerModule = defineModule({
  name: 'ledger',
  errors: [ledgerErrors],
});
