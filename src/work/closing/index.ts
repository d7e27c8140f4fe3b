export { type BirthChecks, checkAllBirths, checkBirthsIfChanged } from './births.js';
export { type ClosingContext, type DecidedState, retryTargetOf, stopIfRequested } from './context.js';
export { endDeadRuns, endInterruptedRuns, endInterruptedScans } from './interrupted.js';
export { takeLeases } from './leases.js';
export { closingModule } from './module.js';

export { type Proof, parseProof, proofOf } from './proof.js';
export { type Compared, keepProof, reconcile } from './reconcile.js';
export { MAIN_ROUND, requestWalk, WALK_ROUND } from './walk.js';
