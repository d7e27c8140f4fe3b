// Owns what can go wrong with candidates.
import { defineErrors } from '../../kernel/index.js';

export const candidateErrors = defineErrors({
  run_not_running: {
    exit: 1,
    when: 'progress of a run was reported that has ended already, or never began',
    help: 'somebody else ended it; look at the latest run, and start another',
  },
});
