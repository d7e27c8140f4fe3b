// Owns what can go wrong with findings.
import { defineErrors } from '../../kernel/index.js';

export const findingErrors = defineErrors({
  finding_unknown: {
    exit: 3,
    when: 'no finding has the code that was asked for',
    help: '`gcos finding list --all` lists the codes, closed findings included',
  },
  finding_type_unknown: {
    exit: 3,
    when: 'a finding of a type was written that the catalogue does not have',
    help: 'add the type to governance_finding_type; docs/findings.md lists the types that are shipped',
  },
  finding_invalid: {
    exit: 3,
    when: 'a finding was written with a count that is not a positive whole number',
    help: 'this is a defect in whoever reports the finding: please report it with the command you ran',
  },
  finding_word_missing: {
    exit: 4,
    when: 'the host allows no word that could stand for a severity or a status of a finding',
    help: 'name one in the setting `host.mapping`, under issue_severity or issue_status; `gcos doctor` shows the mapping',
  },
});
