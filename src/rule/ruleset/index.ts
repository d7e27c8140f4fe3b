export {
  ACTIVATE_ACTION,
  type Activation,
  type ActivationRequest,
  activateRuleset,
  activationAction,
} from './activate.js';
export { type ChangeConstraint, type ChangeReach, reachOfChanges } from './change-reach.js';
export type { Component, ComponentName, RuleRow } from './content.js';
export {
  compareBytes,
  DEFAULT_FAMILY,
  encodeContent,
  type RulesetContent,
  rowsOf,
} from './content.js';
export type { FieldChange } from './diff.js';
export { diffContent, type RuleChange } from './diff.js';
export { type Draft, draftRuleset } from './draft.js';
export { checkDrift, type Drift } from './drift.js';
export { rulesetErrors } from './errors.js';
export { rulesetModule } from './module.js';
export type { Provenance } from './provenance.js';
export {
  type Rule,
  reachIn,
  reachOf,
} from './reach.js';
export { readContent } from './read-content.js';
export { type RulesetDetail, type RulesetDiff, Rulesets } from './rulesets.js';
export {
  activeVersion,
  canonicalTextOf,
  contentOf,
  type Ruleset,
  type RulesetPage,
  readActive,
  type Verification,
} from './store.js';
export { changeText } from './text.js';
