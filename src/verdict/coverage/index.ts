export {
  areCanariesFlagged,
  type CoverageEvaluation,
  evaluateCoverage,
  type Outcome,
} from './evaluate.js';
export { syncCoverageFindings } from './findings.js';
export type { FindingPage } from './gap.js';
export { legacyDeadline, readLegacy } from './legacy.js';
export { previewCoverage } from './preview.js';
export { coverageSettings } from './rules.js';
