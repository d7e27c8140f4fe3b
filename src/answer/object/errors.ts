// Owns the errors of the lists of objects and groups.
import { defineErrors } from '../../kernel/index.js';

export const objectErrors = defineErrors({
  group_unknown: {
    exit: 3,
    when: 'there is no inventory group with this key',
    help: '`gcos explain COLLECTION CODE --json` has the key of the group of an object',
  },
});
