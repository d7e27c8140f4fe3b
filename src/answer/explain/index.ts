export type { ExplainedException } from './exceptions.js';
export type { ExplainedGroup, ExplainedLink, ScopeExplanation } from './explain.js';
export type { ExplainedDecision, ExplainOptions } from './explanations.js';
export { type Explanation, Explanations } from './explanations.js';
export type { ExplainedFinding } from './findings.js';
export { explainModule } from './module.js';
export { readPlaces } from './place.js';
