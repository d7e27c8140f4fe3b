import { evaluateStatements } from './evaluate.js';
import { lookStatements } from './look/statements.js';
import { ruleStatements } from './rules.js';

export { CANARIES, type Canary, type CanaryReport } from './canary.js';
export {
  areCanariesFlagged,
  type CoverageEvaluation,
  type CoverageOptions,
  evaluateCoverage,
  type Outcome,
} from './evaluate.js';
export { type FindingPage, settleCoverage } from './findings.js';
export { type ForeseenCoverage, foreseeCoverage } from './foresee/foresee.js';
export type { Extent } from './look/look.js';

export const coverageStatements = [...ruleStatements, ...evaluateStatements, ...lookStatements];
