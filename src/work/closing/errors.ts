// Owns what keeps a closing run from starting.
import { defineErrors } from '../../kernel/index.js';

export const closingErrors = defineErrors({
  backfill_busy: {
    exit: 1,
    when: 'another process is running a backfill, or is reading the tail that a backfill starts',
    help: 'another backfill: `gcos backfill status` shows how far it is; a worker gives way between two rounds: if one round takes too long, stop the worker or try again; a lease that is not renewed is free after 30 seconds',
  },
});
