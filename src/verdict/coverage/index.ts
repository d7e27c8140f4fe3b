export { CANARIES, type Canary, type CanaryReport } from './canary.js';
export {
  areCanariesFlagged,
  type CoverageEvaluation,
  type CoverageOptions,
  evaluateCoverage,
  type Outcome,
  readCoverageSources,
} from './evaluate.js';
export { type FindingPage, settleCoverage } from './findings.js';
export type { Extent } from './look/look.js';
export { type ForeseenCoverage, foreseeCoverage } from './preview.js';
