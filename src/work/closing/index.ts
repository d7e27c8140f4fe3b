import { lookStatements } from './look.js';
import { objectStatements } from './objects.js';

export { type ClosingContext, type DecidedState, deskOf, stopIfAsked } from './context.js';
export { closingErrors } from './errors.js';
export { type Leases, takeLeases } from './leases.js';
export { type LookedAtAll, lookAtAll, lookIfMoved } from './look.js';
export { renewObjects } from './objects.js';
export { type Proof, parseProof, proofOf } from './proof.js';
export { type Compared, keepProof, plain, reconcile } from './reconcile.js';
export { askForWalk, MAIN_ROUND, WALK_ROUND } from './walk.js';

export const closingStatements = [...objectStatements, ...lookStatements];
