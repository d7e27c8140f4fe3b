// Owns the errors of the exception module.
import { defineErrors } from '../../kernel/index.js';

export const exceptionErrors = defineErrors({
  exception_subject_unknown: {
    exit: 3,
    when: 'the subject of a requested exception has no relevant verdict in the scope',
    help: '`gcos explain` shows the verdict that applies in each scope; a member of a container has that of its container',
  },
  exception_invalid: {
    exit: 3,
    when: 'an exception has no reason, an end before its start, or an incomplete subject',
    help: 'give a reason, an end in the future, and a complete subject',
  },
  exception_too_long: {
    exit: 3,
    when: 'an exception would last longer than the setting exception.limits allows',
    help: 'request a shorter time and renew it before it ends; the setting `exception.limits` contains the maximum number of days',
  },
  exception_list_too_long: {
    exit: 3,
    when: 'one request would list more than 20,000 gaps',
    help: 'accept a whole collection or class under `accepted_gaps` in gcos.yaml, or require fewer links of it under `kits`; then the list is of the rest',
  },
  exception_moved: {
    exit: 1,
    when: 'an exception names a request for other terms, or its subject changed since the request',
    help: 'request it again for the current state of the subject',
  },
  exception_approval_used: {
    exit: 3,
    when: 'an exception names a request that another exception has used, also one that was revoked',
    help: 'one approval serves one exception: request a new one',
  },
  exception_unknown: {
    exit: 3,
    when: 'no exception in force or waiting has this code',
    help: 'list the exceptions with `gcos exception list`; a revoked exception stays revoked',
  },
});
