// Owns the errors between a gap and the request to close it.
import { defineErrors } from '../../kernel/index.js';

export const fixErrors = defineErrors({
  fix_unknown: {
    exit: 3,
    when: 'no open gap has a fix with that id; a fix disappears when its gap is closed',
    help: '`gcos finding list --by-fix` shows the current fixes',
  },
  fix_finding_unknown: {
    exit: 3,
    when: 'a remediation is proposed for a finding that does not exist',
    help: '`gcos finding list` shows the open findings',
  },
  fix_finding_closed: {
    exit: 2,
    when: 'a remediation is proposed for a finding that is closed',
    help: 'there is nothing to remedy; if the problem returns, the finding reopens under the same code',
  },
});
