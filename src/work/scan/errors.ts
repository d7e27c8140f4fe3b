// Owns what can go wrong with a scan as a whole.
import { defineErrors } from '../../kernel/index.js';

export const scanErrors = defineErrors({
  scan_before_backfill: {
    exit: 2,
    when: 'no backfill has been completed: there is nothing a scan could go on from',
    help: '`gcos backfill run` begins or resumes one',
  },
  scan_busy: {
    exit: 1,
    when: 'another process is scanning: no two scanners look at one group at once',
    help: 'a worker scans by itself; `gcos scan status` shows what waits; a lease that is not renewed is free after 30 seconds',
  },
  scan_canary_missed: {
    exit: 1,
    when: 'a unit that is known to be bad was not flagged: the evaluation cannot be trusted, and nothing of it was kept',
    help: 'a rule or the evidence it reads was changed so that it no longer objects to anything; compare with `gcos ruleset diff`',
  },
  scan_incomplete: {
    exit: 2,
    when: 'the full scan has gone through, and the proof or the ledger does not close',
    help: '`gcos ledger verify` names the groups; run the scan again, it repairs what it found',
  },
});
