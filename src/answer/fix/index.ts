export type { Fix, FoundUnder } from './fix.js';
export {
  Fixes,
  type FixFilter,
  type FixPage,
  type ProposedRemediation,
  REMEDIATION_ACTION,
  type Remediation,
} from './fixes.js';
export { fixModule } from './module.js';
export { type GapPlace, gapWords } from './words.js';
