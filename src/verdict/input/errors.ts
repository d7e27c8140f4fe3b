// Owns what can go wrong with decisions about input.
import { defineErrors } from '../../kernel/index.js';

export const inputErrors = defineErrors({
  input_object_unknown: {
    exit: 3,
    when: 'an object was named that was never born',
    help: 'look it up with `gcos explain`; the key is the pair of collection and code',
  },
  input_not_quarantined: {
    exit: 3,
    when: 'an object was to be released that is not in quarantine',
    help: '`gcos input list --state quarantined` says which are',
  },
  input_invalid: {
    exit: 3,
    when: 'a decision about input was not one GCOS can write down',
    help: 'a source is the origin of births or a collection, a scope one of the responsibility scopes, a reason at most 2,000 characters',
  },
});
