export { breakGlassModule } from './module.js';
export type {
  AskedPass,
  Pass,
  PassStanding,
  PassSubject,
  PassWish,
} from './pass.js';
export { BreakGlass, type PassOptions } from './passes.js';
export { settleBreakGlass } from './settle.js';
