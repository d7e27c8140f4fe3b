export { type ActingBodies, readActingBodies } from './bodies.js';
export type { Fix, FoundUnder } from './fix.js';
export type { Remediation } from './fixes.js';
export {
  Fixes,
  type FixFilter,
  type FixPage,
  type ProposedRemediation,
} from './fixes.js';
export { fixModule } from './module.js';
export { type GapPlace, gapText, linkNoun } from './text.js';
