export { type EvaluationBasis, readEvaluationBasis } from './basis.js';
export { type Failed, tryAll, tryRange } from './bisect.js';
export { followRound, reviseSeen } from './follow.js';
export { tryAgain } from './retries.js';
export { reviewObjects } from './review.js';
export { BIRTHS, CLOSING_RUN, type RetryTarget, SCAN, setAside } from './set-aside.js';
