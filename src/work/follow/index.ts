export { type EvaluationBasis, readEvaluationBasis } from './basis.js';
export { type Failed, tryAll, tryRange } from './bisect.js';
export { followRound, reviseSeen } from './follow.js';
export { followModule } from './module.js';
export { tryAgain } from './retries.js';
export { reviewObjects } from './review.js';
export { readRulesInForce, readRulesOrWithhold } from './rules.js';
export { BIRTHS, CLOSING_RUN, type RetryTarget, setAside } from './set-aside.js';
