// Owns what can go wrong between a plan and its activation.
import { defineErrors } from '../../kernel/index.js';

export const planErrors = defineErrors({
  plan_changed: {
    exit: 2,
    when: 'what activating a ruleset would do is no longer what was approved: rules, reach, the active version, or what would flip changed since',
    help: 'look at `gcos ruleset plan` again, and propose it anew',
  },
  plan_empty: {
    exit: 3,
    when: 'the rules in the tables are the ones that are active already',
    help: 'change a rule first; `gcos ruleset diff active current` shows what differs',
  },
  activation_frozen: {
    exit: 2,
    when: 'a snapshot was not deterministic: nothing is activated until that is resolved',
    help: '`gcos finding list --type snapshot_nondeterministic` shows it',
  },
});
