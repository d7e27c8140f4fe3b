// Owns what can go wrong with the intake.
import { defineErrors } from '../../kernel/index.js';

export const intakeErrors = defineErrors({
  intake_not_ready: {
    exit: 1,
    when: 'the intake was asked to run before a backfill has been completed: there is nothing to go on from',
    help: '`gcos backfill run` takes in what was born so far; the intake follows from there',
  },
  intake_busy: {
    exit: 1,
    when: 'somebody else holds the lease of the intake and renews it',
    help: 'a worker or a backfill is running: it takes in what there is; `gcos intake status` says who',
  },
});
