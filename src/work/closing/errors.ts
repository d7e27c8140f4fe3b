// Owns the errors that prevent a closing run from starting.
import { defineErrors } from '../../kernel/index.js';

export const closingErrors = defineErrors({
  closing_run_busy: {
    exit: 1,
    when: 'another process runs a backfill or a full scan, or holds the lease of the intake or of scans, which such a run needs',
    help: '`gcos backfill status` and `gcos scan status` show the run that holds the lease. A worker gives way between two rounds: if one round takes too long, stop the worker or try again. A lease that is not renewed expires after 30 seconds',
  },
});
