// Owns the errors of the log.
import { defineErrors } from '../../kernel/index.js';

export const logErrors = defineErrors({
  log_kind_unknown: {
    exit: 3,
    when: 'a link of the log has no such kind',
    help: 'docs/log.md lists the kinds',
  },
  log_head_invalid: {
    exit: 3,
    when: 'the head to compare with is neither DIGEST@POSITION nor a file that contains one',
    help: '`gcos log head` prints it; keep its output in a file elsewhere',
  },
});
