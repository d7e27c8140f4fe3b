export { type ClosingContext, type DecidedState, retryTargetOf, stopIfRequested } from './context.js';
export { takeLeases } from './leases.js';
export { type LookedAtAll, lookAtAll, lookIfMoved } from './look.js';
export { closingModule } from './module.js';

export { type Proof, parseProof, proofOf } from './proof.js';
export { type Compared, keepProof, reconcile } from './reconcile.js';
export { askForWalk, MAIN_ROUND, WALK_ROUND } from './walk.js';
