// Owns the errors of the snapshot module.
import { defineErrors } from '../../kernel/index.js';

export const snapshotErrors = defineErrors({
  snapshot_unknown: {
    exit: 3,
    when: 'no snapshot of GCOS has the requested id',
    help: '`gcos snapshot list` shows the ids; old ones may have been pruned',
  },
  snapshot_malformed: {
    exit: 1,
    when: 'a stored snapshot does not have the form GCOS writes',
    help: 'capture a new snapshot; if the row was not changed by hand, please report it',
  },
  snapshot_busy: {
    exit: 1,
    when: 'another process is capturing a snapshot and did not finish in time',
    help: 'try again when it is done, or raise GCOS_LOCK_TIMEOUT',
  },
  snapshot_too_slow: {
    exit: 1,
    when: 'even the smallest part of the inventory cannot be read within the limit of one statement',
    help: 'check what slows the server down, and whether birth_registry is a table; the limit of 5 seconds is fixed',
  },
  snapshot_nondeterministic: {
    exit: 2,
    when: 'two readings of the same inventory differ: the table or one of its indexes is damaged, or reads are not deterministic',
    help: 'check the indexes of birth_registry (amcheck, reindex); GCOS activates no ruleset until a capture gives two equal readings',
  },
});
