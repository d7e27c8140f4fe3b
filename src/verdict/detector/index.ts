export { compareSides } from './comparison.js';
export {
  DETECTOR_FINDINGS,
  type Detected,
  type Detection,
  detectorLimits,
  readFormerDetectors,
  runDetectors,
  syncDetectorFindings,
} from './detector.js';
export { functionsIn } from './volatile.js';
