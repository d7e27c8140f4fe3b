export { type BackfillOptions, type BackfillStatus, Backfills } from './backfills.js';
export { BACKFILL_SUBJECT } from './findings.js';
export { backfillModule } from './module.js';
export { Pace } from './pace.js';
export type { PreviewedGap } from './preview/gap.js';
export type {
  BackfillCost,
  BackfillPreview,
  PreviewedScope,
  PreviewProgress,
} from './preview/preview.js';
export type { BackfillPhase, BackfillProgress, BackfillReport } from './report.js';
export { readBackfillState } from './state.js';
