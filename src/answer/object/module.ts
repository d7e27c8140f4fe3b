// Owns what the module adds to GCOS: its errors.
import { defineModule } from '../../db/index.js';
import { objectErrors } from './errors.js';

export const objectModule = defineModule({ name: 'object', errors: [objectErrors] });
