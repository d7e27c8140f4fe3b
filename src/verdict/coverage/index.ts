export {
  areCanariesFlagged,
  type CoverageEvaluation,
  evaluateCoverage,
  readCoverageSources,
} from './evaluate.js';
export { settleCoverage } from './findings.js';
export type { FindingPage } from './gap.js';

export { foreseeCoverage } from './preview.js';
