// Owns the errors of the ruleset module.
import { defineErrors } from '../../kernel/index.js';

export const rulesetErrors = defineErrors({
  ruleset_unknown: {
    exit: 3,
    when: 'no ruleset has the requested version, or none is active',
    help: '`gcos ruleset list` lists the versions; `gcos ruleset draft` creates one from the rules in the tables',
  },
  ruleset_unapproved: {
    exit: 2,
    when: 'no unused, approved request names exactly the version to activate, the plan and the active version',
    help: 'propose it again with `gcos ruleset propose` and have it approved',
  },
  ruleset_superseded: {
    exit: 2,
    when: 'another ruleset became active since the plan was made, or this one is already active',
    help: '`gcos ruleset list` shows the active one; make a new plan',
  },
  ruleset_changed_since: {
    exit: 2,
    when: 'the rules in the tables are no longer those of the version to draft or activate',
    help: 'change the tables back, or draft the rules again and make a new proposal',
  },
  activation_frozen: {
    exit: 2,
    when: 'a snapshot was not deterministic: no ruleset can be activated until that is resolved',
    help: '`gcos finding list --type snapshot_nondeterministic` shows the finding',
  },
  ruleset_unowned: {
    exit: 2,
    when: 'the ruleset to activate has no owner',
    help: 'name an active body of governance_registry in the setting ruleset.owner and draft again',
  },
});
