// Owns what can go wrong with a way past the gate.
import { defineErrors } from '../../kernel/index.js';

export const breakGlassErrors = defineErrors({
  break_glass_subject_unknown: {
    exit: 3,
    when: 'a way past the gate is asked for something that GCOS does not know',
    help: '`gcos explain` says what is known; name a collection and a code, or a group with --group',
  },
  break_glass_invalid: {
    exit: 3,
    when: 'a way past the gate has no reason, or would be open longer than the setting gate.break_glass allows',
    help: 'give a reason, and minutes within what the setting `gate.break_glass` allows',
  },
  break_glass_not_open: {
    exit: 3,
    when: 'a way past the gate is to be closed that is not open and does not wait',
    help: '`gcos gate break-glass --list` shows where each stands',
  },
});
