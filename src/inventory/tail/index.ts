export { type CompareOptions, type Comparison, compareWithTruth, type GroupComparison } from './compare.js';
export { type ForeseenGroup, type ForeseenInventory, foreseeInventory } from './foresee.js';
export { type RebaseReason, rebaseReason } from './horizon.js';
export { INTAKE, ROUND_TRANSACTION, type RoundOptions, type TailLimits } from './limits.js';
export { tailModule } from './module.js';
export { type AddedUp, type Appended, birthsIn } from './near.js';
export { type StartedTail, startTail } from './rebase.js';
export { nearRound, type TailRound, type TailRow, wideRound } from './round.js';
export {
  applySums,
  type CountChange,
  markAllGroups,
  type RunningFingerprint,
  type RunningGroup,
  readRunning,
  zeroRunning,
} from './running.js';
export { type Counted, withoutSetAside } from './set-aside.js';
export { readSweepBounds, readSweepPage, type SweepOptions, type SweepPage } from './source.js';
export type { GroupPart, RowSums } from './sums.js';
export { type TailWatch, watchTail } from './watch.js';
