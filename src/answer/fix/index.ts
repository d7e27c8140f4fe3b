export type { Fix } from './fix.js';
export {
  Fixes,
  type FixFilter,
  type FixPage,
  type ProposedRemediation,
} from './fixes.js';
export { fixModule } from './module.js';
export { type GapPlace, gapText } from './text.js';
