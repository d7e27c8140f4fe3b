// Owns what can go wrong with snapshots.
import { defineErrors } from '../../kernel/index.js';

export const snapshotErrors = defineErrors({
  snapshot_unknown: {
    exit: 3,
    when: 'there is no snapshot of GCOS with the id that was asked for',
    help: '`gcos snapshot list` shows the ids; old ones may have been pruned',
  },
  snapshot_malformed: {
    exit: 1,
    when: 'a stored snapshot does not have the form GCOS writes',
    help: 'capture a new one; if nobody changed the row by hand, please report it',
  },
  snapshot_busy: {
    exit: 1,
    when: 'another process is capturing a snapshot, and did not finish in time',
    help: 'try again when it is done, or raise GCOS_LOCK_TIMEOUT',
  },
  snapshot_too_slow: {
    exit: 1,
    when: 'even the smallest part of the inventory cannot be read within the limit of one statement',
    help: 'look at what slows the server down, or what birth_registry is if not a table: the limit of 5 seconds is fixed',
  },
  snapshot_nondeterministic: {
    exit: 2,
    when: 'two readings of one state of the inventory differ: the table or an index of it is damaged, or something changes what is read',
    help: 'check the indexes of birth_registry (amcheck, reindex); no ruleset is activated until a capture agrees with itself',
  },
});
