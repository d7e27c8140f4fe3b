export { type AnnouncementContext, announceFindings } from './announcement.js';
export { type PromotionRun, runPromotion } from './promotion.js';
export { type Supervision, supervise } from './supervision.js';
export { installedTrials } from './trial.js';
