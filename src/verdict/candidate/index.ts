import type { Migration } from '../../db/index.js';
import { analyzeStatements } from './analyze.js';
import { carryStatements } from './carry.js';
import { danglingStatements } from './dangling.js';
import { dirtyStatements } from './dirty.js';
import { unitStatements } from './foresee/unit.js';
import { groupRowStatements } from './group/evaluate.js';
import { objectStatements } from './objects/statements.js';
import { readStatements } from './read/read.js';
import { readSchemaName } from './rules.js';
import { runStatements } from './run/run.js';
import candidateDownSql from './schema/candidate.down.sql.js';
import candidateSql from './schema/candidate.sql.js';
import carryFunctionSql from './schema/carry.sql.js';
import { sharedStatements } from './shared.js';

export { analyzeCandidates } from './analyze.js';
export { type Carried, type CarryOptions, carryForward } from './carry.js';
export { checkDangling, type Dangling } from './dangling.js';
export { type Dirtied, type DirtyGroup, type DirtyWhere, markDirty, markRows } from './dirty.js';
export { candidateErrors } from './errors.js';
export { type Foreseen, foreseeVerdicts } from './foresee/foresee.js';
export { type BelievedUnit, type JudgedUnit, readBelieved, unitName } from './foresee/unit.js';
export {
  type Evaluation,
  type EvaluationOptions,
  evaluateGroups,
  readGroupInputs,
  supersedeOwners,
  type Triple,
} from './group/evaluate.js';
export {
  areObjectsDue,
  dematerialize,
  type MaterializeOptions,
  materialize,
  materializeObjects,
  materializeUnborn,
  type ObjectOptions,
  reviseObjects,
  type Settled,
  settleDuplicates,
  settleIndependent,
  settleObjects,
  tombstone,
} from './objects/materialize.js';
export { REASONS, type Reason, type Written } from './objects/write.js';
export {
  type Decided,
  decideVerdict,
  type LineData,
  type LineNumber,
  type PrecedenceLine,
  precedenceLines,
  requiredLinksIn,
  type Verdict,
  type VerdictFacts,
} from './precedence.js';
export {
  type Birth,
  type Candidate,
  type CoverageEvidence,
  type GroupFilter,
  type GroupRow,
  type HistoryRow,
  type LinkEvidence,
  type ObjectFilter,
  type ObjectRow,
  readCandidate,
  readGroupRows,
  readHistory,
  readObjectRows,
  readsAs,
} from './read/read.js';
export { factsOf, type GroupInput, type Rules, readRules } from './rules.js';
export {
  beginRun,
  failRun,
  finishRun,
  type Run,
  type RunBeginning,
  type RunFilter,
  type RunKind,
  type RunProgress,
  type RunStatus,
  readLastRun,
  readRuns,
  type ScanMode,
  updateRun,
} from './run/run.js';

export const candidateStatements = [
  ...analyzeStatements,
  readSchemaName,
  ...sharedStatements,
  ...groupRowStatements,
  ...objectStatements,
  ...dirtyStatements,
  ...carryStatements,
  ...danglingStatements,
  ...runStatements,
  ...readStatements,
  ...unitStatements,
];

export const candidateMigration: Migration = {
  id: 12,
  name: 'candidate',
  up: `${candidateSql}\n${carryFunctionSql}`,
  down: candidateDownSql,
};
