export {
  type AskedPass,
  BREAK_GLASS_ACTION,
  BreakGlass,
  breakGlassErrors,
  breakGlassMigration,
  breakGlassStatements,
  GATE_ACTIONS,
  GATE_STAGES,
  type GateAction,
  type GateStage,
  type Pass,
  type PassOptions,
  type PassPage,
  type PassStanding,
  type PassSubject,
  type PassWish,
  settleBreakGlass,
} from './break-glass/index.js';
export {
  type ExplainedException,
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
  makePlan,
  matchGroups,
  type Plan,
  type PlannedChange,
  Plans,
  type Proposal,
  type PutIntoForce,
  planErrors,
} from './plan/index.js';
export { type Answer, readStatus, type Status, statusStatements } from './status.js';
export { viewMigration } from './view/index.js';
