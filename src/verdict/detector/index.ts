export { compareSides } from './comparison.js';
export {
  DETECTOR_FINDINGS,
  type Detected,
  type Detection,
  readFormerDetectors,
  runDetectors,
  settleDetectors,
} from './detector.js';
export { functionsIn } from './volatile.js';
