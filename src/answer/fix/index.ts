export type { Fix } from './fix.js';
export {
  Fixes,
  type FixFilter,
  type FixPage,
  type ProposedRemediation,
} from './fixes.js';
export { fixModule } from './module.js';
export { type GapPlace, gapWords } from './words.js';
