export { type FindingSettings, readFindingSettings } from './catalogue.js';
export { coalesceKey } from './coalesce-key.js';
export { requireFilter } from './filter.js';
export {
  type Finding,
  type FindingCount,
  type FindingFilter,
  type FindingLine,
  type FindingPage,
  Findings,
} from './findings.js';
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
export { LINKS, NO_TRANSITIONS, SEVERITIES } from './observation.js';
export type { PreviewedTransition } from './preview.js';
export { computeSeverity, severityBeyond } from './severity.js';
export { previewFindings, resolveFindings, writeFindings } from './write.js';
