// Owns the parts of this module: its errors.
import { defineModule } from '../../db/index.js';
import { ledgerCaveats } from './caveat.js';
import { ledgerErrors } from './errors.js';

export const ledgerModule = defineModule({
  name: 'ledger',
  settings: [ledgerCaveats],
  errors: [ledgerErrors],
});
