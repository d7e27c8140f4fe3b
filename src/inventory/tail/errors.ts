// Owns what can go wrong with the tail.
import { defineErrors } from '../../kernel/index.js';

export const tailErrors = defineErrors({
  tail_not_started: {
    exit: 1,
    when: 'a round of the tail was asked for before anything recorded where it starts',
    help: '`gcos backfill run` starts the tail',
  },
  tail_isolation: {
    exit: 1,
    when: 'a round of the tail runs in a transaction that does not see one state of the table throughout',
    help: 'this is a defect in GCOS: please report it with the command you ran',
  },
  tail_group_missing: {
    exit: 1,
    when: 'a running fingerprint was to be added to, and its group is not there',
    help: 'try again; if nobody deletes rows of governance_inventory by hand, please report it',
  },
});
