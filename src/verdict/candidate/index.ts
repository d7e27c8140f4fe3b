export { analyzeCandidates } from './analyze.js';
export { checkDangling, hasDangling } from './dangling.js';
export { type DirtyGroup, type DirtyWhere, markDirty, markRows, readDependents } from './dirty.js';
export {
  evaluateGroups,
  supersedeOwners,
  type VerdictStamp,
} from './group/evaluate.js';
export { linkFindings } from './linked.js';
export { candidateModule } from './module.js';
export {
  areObjectsDue,
  materializeObjects,
  materializeUnborn,
  reconcileDuplicates,
  reconcileIndependentRows,
  reconcileObjectRows,
  reconcileRequestedRows,
  reviseObjects,
} from './objects/materialize.js';
export { walkObjectRows } from './objects/walk.js';
export type { Written } from './objects/write.js';
export type { LineData, LineNumber, Verdict } from './precedence.js';
export {
  decideVerdict,
  type PrecedenceLine,
  precedenceLines,
  requiredLinksIn,
  type VerdictFacts,
} from './precedence.js';
export { type Preview, previewVerdicts } from './preview/preview.js';
export { type BelievedUnit, type JudgedUnit, readStored, unitName } from './preview/unit.js';
export {
  type Candidate,
  type GroupRow,
  type HistoryRow,
  type LinkEvidence,
  type ObjectRow,
  readCandidate,
  readGroupRows,
  readHistory,
  readObjectRows,
  readsAs,
} from './read/read.js';
export { type ChangedReason, forgetQuestions, readChangedReasons, readRequestsOf } from './requested.js';
export { factsOf, type Rules, readRules } from './rules.js';
export type { RunJson, RunKind, RunStatus } from './run/run.js';
export {
  beginRun,
  failRun,
  finishRun,
  type Run,
  readLastRun,
  readRuns,
  type ScanMode,
} from './run/run.js';
