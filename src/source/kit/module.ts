// Owns the description of this module: its errors.
import { defineModule } from '../../db/index.js';
import { kitErrors } from './document.js';

export const kitModule = defineModule({ name: 'kit', errors: [kitErrors] });
