// Owns what can keep anybody from following a round.
import { defineErrors } from '../../kernel/index.js';

export const followErrors = defineErrors({
  rules_not_in_force: {
    exit: 2,
    when: 'the rules in the tables are no longer those that were approved: nothing is judged under them',
    help: '`gcos ruleset plan` shows what would change; put it into force with `gcos ruleset propose`, or take the change back',
  },
});
