export {
  type GateAnswer,
  type GateAnswerAsOf,
  type GateAsOf,
  type GateCheck,
  type GateDecision,
  type GateEvidence,
  type GateMode,
  undecided,
} from './decision.js';
export type { GateFix } from './fix.js';
export {
  type CheckLine,
  DEADLINE_MS,
  FRESH_DEADLINE_MS,
  type GateOptions,
  Gates,
  type PastCheck,
  type PastDecision,
  type RecordedCheck,
  withinDeadline,
} from './gates.js';
export { gateModule } from './module.js';
export { type ObservedStage, readObservedStages } from './observing.js';
export type { DecisionFilter, DecisionKey, SingleDecision } from './past.js';
// For `ruleset plan`: the answers of the gate for hypothetical rows.
export { gateAnswers, type PreviewedUnit } from './preview.js';
export {
  ACTIONS,
  type Action,
  completeQuestions,
  DEFAULT_ACTION,
  DEFAULT_STAGE,
  type FullQuestion,
  type GateQuestion,
  type GateSubject,
  parseManifest,
  STAGES,
  type Stage,
} from './question.js';
export type { GateReason } from './reason.js';
