export {
  type InputAct,
  type InputActOptions,
  quarantineObjects,
  releaseObjects,
  type TrustDecision,
  trustSource,
} from './act/act.js';
export { readDuplicateBirths } from './birth/duplicates.js';
export {
  type BirthPart,
  type JudgedBirth,
  type JudgeOptions,
  judgeBirths,
  type ObjectKey,
} from './birth/pick.js';
export {
  areSourcesOther,
  type ForeseenSources,
  foreseeSources,
  readSources,
  type SettledSources,
  type SourceCount,
  settleSources,
} from './birth/sources.js';
export { findAllSuspects, findSuspects } from './birth/suspects.js';
export {
  INPUT_FINDINGS,
  type InputCause,
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
  type InputVerbOptions,
  type TrustLine,
} from './inputs.js';
export { inputModule } from './module.js';
export {
  type InputLimits,
  type InputRules,
  readInputPolicy,
  readInputRules,
  type Source,
  stateIn,
  type TrustLevel,
  withWhole,
} from './policy.js';
export {
  type FoundInput,
  forgetInput,
  type InputChanges,
  recordInput,
  settleWhole,
  takeInputChanges,
  type WholeInput,
} from './state/store.js';
export {
  ACCEPTED,
  BIRTH_MISSING,
  CONFLICT,
  DUPLICATE,
  foremost,
  INCOMPLETE,
  INPUT_STATES,
  INVALID,
  type InputState,
  NEEDS_BACKFILL,
  QUARANTINED,
  STALE,
  UNTRUSTED,
} from './states.js';
