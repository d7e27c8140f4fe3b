export { CANARIES, type Canary, type CanaryReport } from './canary.js';
export {
  areCanariesFlagged,
  type CoverageEvaluation,
  type CoverageOptions,
  evaluateCoverage,
  type Outcome,
  readCoverageSources,
} from './evaluate.js';
export { settleCoverage } from './findings.js';
export type { FindingPage } from './gap.js';
export type { Extent } from './look/context.js';
export { type ForeseenCoverage, foreseeCoverage } from './preview.js';
