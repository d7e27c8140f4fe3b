// Owns what can go wrong with exceptions.
import { defineErrors } from '../../kernel/index.js';

export const exceptionErrors = defineErrors({
  exception_subject_unknown: {
    exit: 3,
    when: 'an exception is asked for something that nothing relevant in its scope answers to',
    help: 'name an object, group, collection or class with a relevant verdict in that scope; `gcos explain` shows it',
  },
  exception_invalid: {
    exit: 3,
    when: 'an exception has no reason, no end after its beginning, or half a subject',
    help: 'give a reason, an end in the future, and a whole subject',
  },
  exception_unknown: {
    exit: 3,
    when: 'no exception in force or waiting has this code',
    help: 'look for it among the exceptions; one that was revoked stays revoked',
  },
});
