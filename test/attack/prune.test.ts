// Pruning: the pruner removes only what is older than the minimum age, oldest first, and leaves a record of
// it.
import { createEstate } from '../support/estate.js';
import { pruneAttacks } from './attacks/prune.js';

pruneAttacks(createEstate);
