// Owns the errors of rules that were stored.
import { defineErrors } from '../../kernel/index.js';

export const ruleErrors = defineErrors({
  ruleset_corrupt: {
    exit: 2,
    when: 'the stored bytes of a ruleset do not hash to its version, or cannot be read',
    help: 'the row was changed with the rights of the table owner: compare it with a backup',
  },
});
