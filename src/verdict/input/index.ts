export type {
  InputAct,
  TrustDecision,
} from './act/act.js';
export { readDuplicateBirths } from './birth/duplicates.js';
export {
  type JudgedBirth,
  type JudgeOptions,
  judgeBirths,
  type ObjectKey,
} from './birth/pick.js';
export {
  areSourcesOther,
  foreseeSources,
  readSources,
  type SourceCount,
  settleSources,
} from './birth/sources.js';
export { findAllSuspects, findSuspects } from './birth/suspects.js';
export {
  INPUT_FINDINGS,
  observeCauses,
  readTouchedInput,
  settleInputFindings,
} from './findings.js';
export { foreseeInputCauses, type LookedAt, readHeldObjects } from './foresee.js';
export {
  type InputFilter,
  type InputLine,
  type InputPage,
  Inputs,
  type TrustLine,
} from './inputs.js';
export { inputModule } from './module.js';
export {
  type InputRules,
  readInputRules,
  stateIn,
  withWhole,
} from './policy.js';
export {
  forgetInput,
  recordInput,
  takeInputChanges,
} from './state/store.js';
export {
  ACCEPTED,
  BIRTH_MISSING,
  foremost,
  INCOMPLETE,
  INPUT_STATES,
  type InputState,
  NEEDS_BACKFILL,
  UNTRUSTED,
} from './states.js';
