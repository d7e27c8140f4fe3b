// Owns the errors of a scan as a whole.
import { defineErrors } from '../../kernel/index.js';

export const scanErrors = defineErrors({
  scan_before_backfill: {
    exit: 2,
    when: 'no backfill has been completed, so a scan has no evaluation basis',
    help: '`gcos backfill run` starts or resumes one',
  },
  scan_busy: {
    exit: 1,
    when: 'another process is scanning: two scanners never evaluate one group at the same time',
    help: 'a worker scans automatically; `gcos scan status` shows the backlog; a lease that is not renewed expires after 30 seconds',
  },
  scan_canary_missed: {
    exit: 1,
    when: 'a canary, a unit that is known to be bad, was not flagged: the evaluation is unreliable and was rolled back',
    help: 'a change of a rule or of its evidence makes the rule accept everything; compare with `gcos ruleset diff`',
  },
  scan_incomplete: {
    exit: 2,
    when: 'the full scan has run to its end, but the proof or the ledger does not close',
    help: '`gcos ledger verify` names the groups; run the scan again to repair them',
  },
  run_unknown: {
    exit: 3,
    when: 'no backfill or scan has that id',
    help: '`gcos scan status` shows the latest scans; those of the backlog are kept for a time only',
  },
});
