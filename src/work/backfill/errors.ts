// Owns the errors of a backfill as a whole; failures of single births are in the retry list.
import { defineErrors } from '../../kernel/index.js';

export const backfillErrors = defineErrors({
  backfill_incomplete: {
    exit: 2,
    when: 'the backfill has run to its end, but the proof or the ledger does not close',
    help: '`gcos backfill status` names the groups; run `gcos backfill run` again to repair them',
  },
  backfill_absent: {
    exit: 2,
    when: 'no backfill has been completed, so there is nothing to verify',
    help: '`gcos backfill run` starts or resumes one',
  },
});
