// Owns the errors of the candidate module.
import { defineErrors } from '../../kernel/index.js';

export const candidateErrors = defineErrors({
  run_not_running: {
    exit: 1,
    when: 'progress was reported for a run that has already ended or never started',
    help: 'another session ended the run; check the latest run and start a new one',
  },
});
