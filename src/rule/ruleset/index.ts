export {
  ACTIVATE_ACTION,
  type Activation,
  type ActivationRequest,
  activateRuleset,
  activationAction,
  type Carried,
  type CarriedVerdicts,
} from './activate.js';
export { type ChangeConstraint, type ChangeReach, reachOfChanges } from './change-reach.js';
export type { FieldChange } from './diff.js';
export { diffContent, type RuleChange } from './diff.js';
export { type Draft, draftRuleset } from './draft.js';
export { checkDrift, DRIFT_TYPE, type Drift } from './drift.js';
export { rulesetErrors } from './errors.js';
export { rulesetModule } from './module.js';
export type { Provenance } from './provenance.js';
export {
  type Rule,
  reachIn,
} from './reach.js';
export { type RulesetDetail, type RulesetDiff, Rulesets } from './rulesets.js';
export {
  activeVersion,
  canonicalTextOf,
  contentOf,
  type Ruleset,
  type RulesetPage,
  readActive,
  showRuleset as requireRuleset,
  type Verification,
} from './store.js';
export { changeText } from './text.js';
