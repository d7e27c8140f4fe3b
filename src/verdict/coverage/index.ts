export {
  areCanariesFlagged,
  type CoverageEvaluation,
  evaluateCoverage,
} from './evaluate.js';
export { settleCoverage } from './findings.js';
export type { FindingPage } from './gap.js';

export { foreseeCoverage } from './preview.js';
