// A stolen login of `gcos serve`, stolen tokens, and code of the host between them.
import { createEstate } from '../support/estate.js';
import { tokenAttacks } from './attacks/token.js';

tokenAttacks(createEstate);
