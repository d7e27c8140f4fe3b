// Owns the errors that prevent following a tail round.
import { defineErrors } from '../../kernel/index.js';

export const followErrors = defineErrors({
  rules_not_in_force: {
    exit: 2,
    when: 'the rules in the tables differ from the approved rules: no verdict is evaluated under them',
    help: '`gcos ruleset plan` shows what would change; activate it with `gcos ruleset propose`, or revert the change',
  },
});
