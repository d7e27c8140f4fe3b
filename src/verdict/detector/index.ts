export { compareSides } from './comparison.js';
export {
  type Detected,
  type Detection,
  type Detector,
  detectorStatements,
  NOT_RUN,
  readDetectors,
  runDetectors,
  settleDetectors,
  VIOLATED,
} from './detector.js';
export { functionsIn } from './volatile.js';
