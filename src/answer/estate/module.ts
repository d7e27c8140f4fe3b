// Owns the description of this module: its errors.
import { defineModule } from '../../db/index.js';
import { estateErrors } from './errors.js';

export const estateModule = defineModule({ name: 'estate', errors: [estateErrors] });
