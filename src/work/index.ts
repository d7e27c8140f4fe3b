export { type AnnouncementContext, announceFindings } from './announcement.js';
export {
  type BackfillOptions,
  type BackfillProgress,
  type BackfillReport,
  type BackfillStatus,
  Backfills,
  backfillErrors,
  backfillMigration,
} from './backfill/index.js';
export { closingErrors, type Proof } from './closing/index.js';
export { followErrors } from './follow/index.js';
export {
  handoffErrors,
  handoffMigration,
  INTAKE_LEASE,
  type Intake,
  type IntakeContext,
  type IntakeRound,
  type IntakeRun,
  type IntakeRunOptions,
  type IntakeStatus,
  Intakes,
  intakeRound,
  makeIntake,
  type Replay,
  type ReplayFrom,
} from './handoff/index.js';
export { type PromotionRun, runPromotion } from './promotion.js';
export {
  type Backlog,
  type ScanOptions,
  type ScanProgress,
  type ScanReport,
  type ScanStatus,
  Scans,
  scanErrors,
  scanMigration,
  watchCandidates,
} from './scan/index.js';
export { type Settle, type Supervision, supervise } from './supervision.js';
export { installedTrials } from './trial.js';
export {
  DEFAULT_PORT,
  DUTIES,
  type DutyName,
  type DutyState,
  type Gauges,
  type Log,
  makeLog,
  WorkerProcess,
  type WorkerRunOptions,
  workerErrors,
} from './worker/index.js';
