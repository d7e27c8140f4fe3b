// Owns what can go wrong with a backfill as a whole; what goes wrong with single births is in the retry list.
import { defineErrors } from '../../kernel/index.js';

export const backfillErrors = defineErrors({
  backfill_busy: {
    exit: 1,
    when: 'another process is running a backfill, or is reading the tail that a backfill starts',
    help: 'another backfill: `gcos backfill status` shows how far it is; a worker gives way between two rounds: if one round takes too long, stop the worker or try again; a lease that is not renewed is free after 30 seconds',
  },
  backfill_incomplete: {
    exit: 2,
    when: 'the backfill has gone through, and the proof or the ledger does not close',
    help: '`gcos backfill status` names the groups; run `gcos backfill run` again, it repairs what it found',
  },
  backfill_absent: {
    exit: 2,
    when: 'no backfill has been completed, so there is nothing to verify',
    help: '`gcos backfill run` begins or resumes one',
  },
});
