// Owns what can go wrong with a backfill as a whole; what goes wrong with single births is in the retry list.
import { defineErrors } from '../../kernel/index.js';

export const backfillErrors = defineErrors({
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
