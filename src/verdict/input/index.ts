export type {
  InputAct,
  TrustDecision,
} from './act/act.js';
export { readDuplicateBirths } from './birth/duplicates.js';
export { observeKeyless } from './birth/keyless.js';
export {
  type BirthPart,
  type JudgedBirth,
  type JudgeOptions,
  judgeBirths,
  type ObjectKey,
} from './birth/pick.js';
export {
  areSourcesOther,
  previewSources,
  readSources,
  reconcileSources,
  type SourceCount,
} from './birth/sources.js';
export { findAllSuspects, findIdsIn, findSuspects, type SomeBirths } from './birth/suspects.js';
export {
  INPUT_FINDINGS,
  type InputCause,
  observeCauses,
  readTouchedInput,
  syncInputFindings,
  syncKeylessFinding,
} from './findings.js';
export type { InputVerbOptions } from './inputs.js';
export {
  type InputFilter,
  type InputLine,
  type InputPage,
  Inputs,
  type TrustLine,
} from './inputs.js';
export { inputModule } from './module.js';
export type { TrustLevel } from './policy.js';
export {
  type InputRules,
  readInputRules,
  stateIn,
  withWhole,
} from './policy.js';
export { type PreviewScope, previewInputCauses, readHeldObjects } from './preview.js';
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
