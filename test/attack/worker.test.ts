// What a stolen login of a worker can and cannot do. It computes verdicts, so it can write them, and the next
// full scan says so. It alters no closed run, no history, no audit row, and gives no time.
import { createEstate } from '../support/estate.js';
import { workerAttacks } from './attacks/worker.js';

workerAttacks(createEstate);
