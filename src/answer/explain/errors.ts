// Owns what can be wrong with a question for an explanation. An object nobody knows is an answer, not an error.
import { defineErrors } from '../../kernel/index.js';

export const explainErrors = defineErrors({
  explain_scope_unknown: {
    exit: 3,
    when: 'an explanation was asked for in a scope that is not active',
    help: 'leave --scope out to see all active scopes',
  },
});
