// Owns the errors of acts that name a key.
import { defineErrors } from '../../kernel/index.js';

export const onceErrors = defineErrors({
  act_key_reused: {
    exit: 3,
    when: 'a key that an act named before comes with another request',
    help: 'give every act a key of its own, such as a random UUID; repeat an act with the same request',
  },
  act_unanswered: {
    exit: 2,
    when: 'an act is repeated whose first attempt is still running, or was interrupted after it was committed and before its answer was stored',
    help: 'read the resource: it shows what the first attempt did; it is not done again',
  },
});
