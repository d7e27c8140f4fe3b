// Owns the errors of decisions about input.
import { defineErrors } from '../../kernel/index.js';

export const inputErrors = defineErrors({
  input_object_unknown: {
    exit: 3,
    when: 'a named object has no birth',
    help: 'look it up with `gcos explain`; the key is the pair of collection and code',
  },
  input_not_quarantined: {
    exit: 3,
    when: 'an object to release is not in quarantine',
    help: 'list the quarantined objects with `gcos input list --state quarantined`',
  },
  input_reason_missing: {
    exit: 3,
    when: 'a decision about the trust in a source has no reason',
    help: 'say why with `--reason`; `gcos input trust` and the audit row show it',
  },
  input_invalid: {
    exit: 3,
    when: 'a decision about input has an invalid value',
    help: 'a source is an origin of births or a collection; a scope is a responsibility scope; a reason has at most 2,000 characters',
  },
});
