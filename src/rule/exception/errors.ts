// Owns what can go wrong with exceptions.
import { defineErrors } from '../../kernel/index.js';

export const exceptionErrors = defineErrors({
  exception_subject_unknown: {
    exit: 3,
    when: 'an exception is asked for something that nothing relevant in its scope answers to',
    help: '`gcos explain` shows which verdict speaks for it: of a member that its container answers for, except the container with `--group`',
  },
  exception_invalid: {
    exit: 3,
    when: 'an exception has no reason, no end after its beginning, or half a subject',
    help: 'give a reason, an end in the future, and a whole subject',
  },
  exception_too_long: {
    exit: 3,
    when: 'an exception would last longer than the setting exception.limits allows',
    help: 'ask for less, and renew it in time; the setting `exception.limits` says how many days are the most',
  },
  exception_moved: {
    exit: 1,
    when: 'the subject of an exception was judged anew while it was being asked for',
    help: 'ask again: it is about what the subject is now',
  },
  exception_unknown: {
    exit: 3,
    when: 'no exception in force or waiting has this code',
    help: 'look for it among the exceptions; one that was revoked stays revoked',
  },
});
