// Owns the errors of a request for an explanation. An unknown object is an answer, not an error.
import { defineErrors } from '../../kernel/index.js';

export const explainErrors = defineErrors({
  explain_scope_unknown: {
    exit: 3,
    when: 'an explanation was requested for a scope that is not active',
    help: 'the error lists the active scopes; omit --scope to see all of them',
  },
});
