// Owns the errors between a plan and its activation.
import { defineErrors } from '../../kernel/index.js';

export const planErrors = defineErrors({
  plan_changed: {
    exit: 2,
    when: 'the effect of activating a ruleset differs from the approved plan: rules, reach, the active version or the flips changed since',
    help: 'check `gcos ruleset plan` again and make a new proposal',
  },
  plan_empty: {
    exit: 3,
    when: 'the rules in the tables are already active',
    help: 'change a rule first; `gcos ruleset diff active current` shows what differs',
  },
});
