export { compareSides } from './comparison.js';
export {
  DETECTOR_FINDINGS,
  type Detected,
  type Detection,
  type Detector,
  NOT_RUN,
  readDetectors,
  readFormerDetectors,
  runDetectors,
  settleDetectors,
  VIOLATED,
} from './detector.js';
export { functionsIn } from './volatile.js';
