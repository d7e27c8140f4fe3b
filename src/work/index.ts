export { type AnnouncementContext, announceFindings } from './announcement.js';
export {
  type BackfillOptions,
  type BackfillProgress,
  type BackfillReport,
  type BackfillStatus,
  Backfills,
  backfillErrors,
  backfillMigration,
  backfillStatements,
} from './backfill/index.js';
export { closingErrors, closingStatements, type Proof } from './closing/index.js';
export { followErrors, followStatements } from './follow/index.js';
export {
  handoffErrors,
  handoffMigration,
  handoffStatements,
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
export { type PromotionRun, promotionStatements, runPromotion } from './promotion.js';
export {
  type Backlog,
  type ScanOptions,
  type ScanProgress,
  type ScanReport,
  type ScanStatus,
  Scans,
  scanErrors,
  scanMigration,
  scanStatements,
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
  workerStatements,
} from './worker/index.js';
