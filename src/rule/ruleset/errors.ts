// Owns what can go wrong with rulesets.
import { defineErrors } from '../../kernel/index.js';

export const rulesetErrors = defineErrors({
  ruleset_unknown: {
    exit: 3,
    when: 'no ruleset has the version that was asked for, or none is active',
    help: '`gcos ruleset list` lists the versions; `gcos ruleset draft` makes one of the rules in the tables',
  },
  ruleset_corrupt: {
    exit: 2,
    when: 'the stored bytes of a ruleset do not hash to its version, or cannot be read',
    help: 'somebody changed the row with the rights of its owner: compare it with a backup',
  },
  ruleset_unapproved: {
    exit: 2,
    when: 'a ruleset is to be activated, and no unused, approved request names exactly this version, plan and active version',
    help: 'propose it again with `gcos ruleset propose`, and have it approved',
  },
  ruleset_superseded: {
    exit: 2,
    when: 'another ruleset became active since the plan was made, or this one is active already',
    help: '`gcos ruleset list` shows the active one; make a new plan',
  },
  ruleset_unowned: {
    exit: 2,
    when: 'a ruleset is to be activated that nobody answers for',
    help: 'name an active body of governance_registry in the setting ruleset.owner, and draft again',
  },
});
