// Owns the errors that prevent a closing run from starting.
import { defineErrors } from '../../kernel/index.js';

export const closingErrors = defineErrors({
  backfill_busy: {
    exit: 1,
    when: 'another process is running a backfill, or is reading the tail that a backfill starts',
    help: '`gcos backfill status` shows the progress of another backfill. A worker gives way between two rounds: if one round takes too long, stop the worker or try again. A lease that is not renewed expires after 30 seconds',
  },
});
