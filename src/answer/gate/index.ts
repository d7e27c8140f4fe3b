import type { Migration } from '../../db/index.js';
import checkSql from './schema/check.sql.js';
import codesSql from './schema/codes.sql.js';
import evaluateSql from './schema/evaluate.sql.js';
import gateDownSql from './schema/gate.down.sql.js';
import rulesSql from './schema/rules.sql.js';
import subjectsSql from './schema/subjects.sql.js';
import tablesSql from './schema/tables.sql.js';
import unitsSql from './schema/units.sql.js';

export {
  type GateAnswer,
  type GateCheck,
  type GateDecision,
  type GateEvidence,
  type GateMode,
  undecided,
} from './decision.js';
export { gateErrors } from './errors.js';
export type { GateFix } from './fix.js';
// For `ruleset plan`: what the gate would answer if rows said so-and-so. Rooms above may also call the SQL function gcos_gate_evaluate() in a
// transaction they roll back: it answers from whatever state that transaction sees, and records nothing.
export { type ForeseenAnswer, type ForeseenUnit, gateAnswers } from './foresee.js';
export {
  type CheckLine,
  DEADLINE_MS,
  type GateOptions,
  Gates,
  type PastCheck,
  type PastDecision,
  withinDeadline,
} from './gates.js';
export { type ObservedStage, readObservedStages } from './observing.js';
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
export { gateStatements } from './statements.js';

export const gateMigration: Migration = {
  id: 19,
  name: 'gate',
  up: [tablesSql, codesSql, rulesSql, unitsSql, subjectsSql, evaluateSql, checkSql].join('\n'),
  down: gateDownSql,
};
