import type { Migration } from '../../db/index.js';
import { actStatements } from './act/act.js';
import { duplicateStatements } from './birth/duplicates.js';
import { pickStatements } from './birth/pick.js';
import { sourceStatements } from './birth/sources.js';
import { suspectStatements } from './birth/suspects.js';
import { findingStatements } from './findings.js';
import { foreseeStatements } from './foresee.js';
import { verbStatements } from './inputs.js';
import { policyStatements } from './policy.js';
import actsSql from './schema/acts.sql.js';
import inputDownSql from './schema/input.down.sql.js';
import seedSql from './schema/seed.sql.js';
import tablesSql from './schema/tables.sql.js';
import seedInputSql from './seed-input.sql.js';
import { storeStatements } from './state/store.js';

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
export { inputErrors } from './errors.js';
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
export {
  type InputLimits,
  type InputRules,
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

export const inputStatements = [
  ...policyStatements,
  ...pickStatements,
  ...suspectStatements,
  ...duplicateStatements,
  ...sourceStatements,
  ...storeStatements,
  ...findingStatements,
  ...foreseeStatements,
  ...actStatements,
  ...verbStatements,
];

export const inputMigration: Migration = {
  id: 14,
  name: 'input',
  up: `${tablesSql}\n${seedSql}\n${actsSql}`,
  down: inputDownSql,
};

/** What holds from the start: contracts and trust, as the host's own registries say. */
export const inputSeed = `${seedInputSql.trim()};`;
