// Owns the errors of governing an estate.
import { defineErrors } from '../../kernel/index.js';

export const estateErrors = defineErrors({
  estate_not_read: {
    exit: 3,
    when: 'a report is asked about a source that no sync has read completely',
    help: '`gcos source sync NAME` reads it',
  },
});
