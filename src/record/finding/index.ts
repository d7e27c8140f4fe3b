export { readFindingSettings } from './catalogue.js';
export { coalesceKey } from './coalesce-key.js';
export {
  type Finding,
  type FindingFilter,
  type FindingLine,
  type FindingPage,
  Findings,
} from './findings.js';
export type { ForeseenTransition } from './foresee.js';
export { findingModule } from './module.js';
export type {
  FindingContext,
  Link,
  Observation,
  RiskClass,
  Severity,
  Transition,
  Transitions,
} from './observation.js';
export { NO_TRANSITIONS } from './observation.js';
export { computeSeverity } from './severity.js';
export { closedWords } from './store.js';
export {
  foreseeFindings,
  resolveFindings,
  restampFindings,
  writeFindings,
} from './write.js';
