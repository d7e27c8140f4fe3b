export { provideActors } from './actors.js';
export {
  buildEstate,
  type EstateOptions,
  type EstateProgress,
  type EstateSummary,
} from './build.js';
export { demoErrors } from './errors.js';
export { provideException } from './exception.js';
export { hashEstate, type TableHash } from './hash.js';
export { ESTATE_SEED, type EstateMarker, findEstateMarker, isEstate } from './marker.js';
export { FULL_SIZE, LARGEST_SIZE, SMALLEST_SIZE } from './size.js';
export { type EstateStep, estateSteps } from './steps.js';
export { type EstateTable, estateTables } from './tables.js';
export { KINDS as TRAFFIC_KINDS, type TrafficAction, type TrafficKind, TrafficPlan } from './traffic/plan.js';
export {
  runTraffic,
  type TrafficCounts,
  type TrafficOptions,
  type TrafficReport,
} from './traffic/traffic.js';
