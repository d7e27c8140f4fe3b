export { provideActors } from './actors.js';
export {
  buildEstate,
  type EstateSummary,
} from './build.js';
export { provideCaveats } from './caveats.js';
export { demoErrors } from './errors.js';
export { provideException } from './exception.js';
export { hashEstate } from './hash.js';
export { ESTATE_SEED, findEstateMarker, isEstate } from './marker.js';
export { DEMO_OBJECTS, DEMO_PEOPLE } from './objects.js';
export { FULL_SIZE } from './size.js';
export { estateSteps } from './steps.js';
export { estateTables } from './tables.js';
export { dropEstate, planEstateDrop } from './target.js';
export { KINDS as TRAFFIC_KINDS, TrafficPlan } from './traffic/plan.js';
export { runTraffic } from './traffic/traffic.js';
