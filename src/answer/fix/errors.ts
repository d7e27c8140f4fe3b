// Owns what can go wrong between a gap and the request to close it.
import { defineErrors } from '../../kernel/index.js';

export const fixErrors = defineErrors({
  fix_unknown: {
    exit: 3,
    when: 'no open gap has a fix of that id; when the gap is closed its fix is gone, too',
    help: '`gcos finding list --by-fix` shows the fixes there are now',
  },
  fix_finding_unknown: {
    exit: 3,
    when: 'a remediation is proposed for a finding that does not exist',
    help: '`gcos finding list` shows the open findings',
  },
  fix_finding_closed: {
    exit: 2,
    when: 'a remediation is proposed for a finding that is closed',
    help: 'nothing is left to remedy; if it comes back, it reopens under the same code',
  },
});
