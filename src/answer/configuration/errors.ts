// Owns the errors of governance as code.
import { defineErrors } from '../../kernel/index.js';

export const configurationErrors = defineErrors({
  config_unreadable: {
    exit: 3,
    when: 'gcos.yaml cannot be opened',
    help: 'name the file with --file; docs/gcos-yaml.md describes it',
  },
  config_contradictory: {
    exit: 3,
    when: 'gcos.yaml is applied although its data contracts and patterns say different things about one object',
    help: '`gcos config plan` lists every disagreement: change the contract or the pattern',
  },
  baseline_too_long: {
    exit: 3,
    when: 'the baseline in gcos.yaml ends more than 90 days from now',
    help: '`gcos govern --baseline --renew` begins another one, of what is lacking today',
  },
  config_unappliable: {
    exit: 3,
    when: 'gcos.yaml names what this database cannot have: bodies on a host whose bodies GCOS does not manage',
    help: 'leave that part out of gcos.yaml, or add the tables of GCOS with `gcos init --with ownership`',
  },
});
