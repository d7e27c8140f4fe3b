export { breakGlassModule } from './module.js';
export type {
  Pass,
  PassPage,
  PassRequest,
  PassStatus,
  PassSubject,
  RequestedPass,
} from './pass.js';
export { BreakGlass, type PassOptions } from './passes.js';
export { syncBreakGlass } from './sync.js';
