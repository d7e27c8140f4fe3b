// Owns the errors of findings.
import { defineErrors } from '../../kernel/index.js';

export const findingErrors = defineErrors({
  finding_unknown: {
    exit: 3,
    when: 'no finding has the requested code',
    help: '`gcos finding list --all` lists the codes, closed findings included',
  },
  finding_type_unknown: {
    exit: 3,
    when: 'a caller writes a finding of a type that the catalogue does not have',
    help: 'add the type to governance_finding_type; docs/findings.md lists the shipped types',
  },
  finding_invalid: {
    exit: 3,
    when: 'a caller writes a finding with a count that is not a positive whole number',
    help: 'this is a defect in the code that reports the finding: please report it with the command you ran',
  },
  finding_word_missing: {
    exit: 4,
    when: 'the host allows no word for a severity or a status of a finding',
    help: 'name one in the setting `host.mapping`, under issue_severity or issue_status; `gcos doctor` shows the mapping',
  },
});
