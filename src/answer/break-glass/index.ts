export { breakGlassModule } from './module.js';
export {
  type AskedPass,
  BREAK_GLASS_ACTION,
  type Pass,
  type PassPage,
  type PassStanding,
  type PassSubject,
  type PassWish,
  readPasses,
} from './pass.js';
export { BreakGlass, type PassOptions } from './passes.js';
export { settleBreakGlass } from './settle.js';
