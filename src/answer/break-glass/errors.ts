// Owns the errors of break-glass passes.
import { defineErrors } from '../../kernel/index.js';

export const breakGlassErrors = defineErrors({
  break_glass_subject_unknown: {
    exit: 3,
    when: 'a break-glass pass is requested for an unknown subject',
    help: '`gcos explain` shows what is known; name a collection and a code, or a group with --group',
  },
  break_glass_invalid: {
    exit: 3,
    when: 'a break-glass pass has no reason, or would be in force longer than the setting gate.break_glass allows',
    help: 'give a reason, and minutes within what the setting `gate.break_glass` allows',
  },
  break_glass_not_open: {
    exit: 3,
    when: 'a break-glass pass cannot be closed because it is neither in force nor waiting',
    help: '`gcos gate break-glass --list` shows the status of each pass',
  },
});
