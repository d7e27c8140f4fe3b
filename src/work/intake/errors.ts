// Owns the errors of the intake.
import { defineErrors } from '../../kernel/index.js';

export const intakeErrors = defineErrors({
  intake_not_ready: {
    exit: 1,
    when: 'the intake cannot run because no backfill has been completed',
    help: '`gcos backfill run` takes in all existing births; the intake continues from there',
  },
  intake_busy: {
    exit: 1,
    when: 'another process holds the lease of the intake and renews it',
    help: 'a worker or a backfill is running and takes in the changes; `gcos intake status` shows the holder',
  },
});
