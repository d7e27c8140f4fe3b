// Pausing all workers: only a person can, with a reason; it is audited, and the gate stops allowing high
// risk.
import { createEstate } from '../support/estate.js';
import { pauseAttacks } from './attacks/pause.js';

pauseAttacks(createEstate);
