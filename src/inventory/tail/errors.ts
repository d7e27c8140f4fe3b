// Owns the errors of the tail.
import { defineErrors } from '../../kernel/index.js';

export const tailErrors = defineErrors({
  tail_not_started: {
    exit: 1,
    when: 'a round of the tail was requested before the tail was started',
    help: 'start the tail with `gcos backfill run`',
  },
  tail_isolation: {
    exit: 1,
    when: 'a round of the tail runs in a transaction without one fixed snapshot',
    help: 'this is a defect in GCOS: please report it with the command you ran',
  },
  tail_source_unreadable: {
    exit: 4,
    when: 'a part of birth_registry is a foreign table: its rows have no versions that GCOS could follow',
    help: 'detach that part from birth_registry, or keep its births in a table of this database',
  },
  tail_group_missing: {
    exit: 1,
    when: 'the group of a running fingerprint is missing',
    help: 'try again; if no rows of governance_inventory were deleted by hand, please report it',
  },
});
