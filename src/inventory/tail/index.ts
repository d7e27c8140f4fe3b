export { type Comparison, compareWithRecount } from './compare.js';
export { type RebaseReason, rebaseReason } from './horizon.js';
export { INTAKE, ROUND_TRANSACTION, type RoundOptions } from './limits.js';
export { tailModule } from './module.js';
export { type Appended, birthsIn } from './near.js';
export { type PreviewedGroup, previewInventory } from './preview.js';
export { type StartedTail, startTail } from './rebase.js';
export { noteReview, type Review, readReview } from './review.js';
export { nearRound, type TailRound, type TailRow, wideRound } from './round.js';
export {
  applySums,
  markAllGroups,
  readRunning,
  zeroRunning,
} from './running.js';
export { withoutSetAside } from './set-aside.js';
export { readSweepBounds, readSweepPage, type SweepPage } from './source.js';
export type { GroupPart, RowSums } from './sums.js';
export { type WalkBirthsOptions, walkBirths } from './walk.js';
export { type TailWatch, watchTail } from './watch.js';
