export {
  ACTIVATE_ACTION,
  type Activation,
  type ActivationRequest,
  activateRuleset,
  activationAction,
} from './activate.js';
export { type ChangeConstraint, type ChangeReach, reachOfChanges } from './change-reach.js';
export {
  type Component,
  type ComponentName,
  compareBytes,
  DEFAULT_FAMILY,
  type EncodedRuleset,
  encodeContent,
  type RuleRow,
  type RulesetContent,
  rowsOf,
} from './content.js';
export { diffContent, type FieldChange, type RuleChange } from './diff.js';
export { type Draft, type DraftOptions, draftRuleset, readRulesetOwner } from './draft.js';
export { checkDrift, type Drift } from './drift.js';
export { rulesetErrors } from './errors.js';
export { rulesetModule } from './module.js';
export type { Provenance } from './provenance.js';
export {
  type ReachConstraint,
  type Rule,
  type RuleReach,
  reachIn,
  reachOf,
  seedReach,
} from './reach.js';
export { readContent } from './read-content.js';
export { type Announce, type RulesetDetail, type RulesetDiff, Rulesets } from './rulesets.js';
export {
  activeVersion,
  canonicalTextOf,
  contentOf,
  listRulesets,
  type Ruleset,
  type RulesetPage,
  readActive,
  showRuleset,
  type Verification,
  verifyRuleset,
} from './store.js';
export { changeWords } from './words.js';
