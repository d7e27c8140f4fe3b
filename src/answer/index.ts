export {
  type ExplainedGroup,
  type ExplainedLink,
  type ExplainOptions,
  type Explanation,
  Explanations,
  explainErrors,
  explainStatements,
  type ScopeExplanation,
} from './explain/index.js';
export {
  type Fix,
  Fixes,
  type FixFilter,
  type FixPage,
  fixErrors,
  fixStatements,
  type ProposedRemediation,
  REMEDIATION_ACTION,
  type Remediation,
} from './fix/index.js';
export {
  type CarriedVerdicts,
  type FindingFlip,
  type Flips,
  makePlan,
  matchGroups,
  type Plan,
  type PlannedChange,
  Plans,
  type Proposal,
  type PutIntoForce,
  planErrors,
  type TermFlip,
  type UnitFlip,
} from './plan/index.js';
export { type Answer, readStatus, type Status, statusStatements } from './status.js';
export { viewMigration } from './view/index.js';
