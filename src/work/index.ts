export { type AnnouncementContext, announceFindings } from './announcement.js';
export {
  type BackfillOptions,
  type BackfillProgress,
  type BackfillProof,
  type BackfillReport,
  type BackfillStatus,
  Backfills,
  backfillErrors,
  backfillMigration,
  backfillStatements,
} from './backfill/index.js';
export { type PromotionRun, runPromotion } from './promotion.js';
export { type Supervision, supervise } from './supervision.js';
export { installedTrials } from './trial.js';
