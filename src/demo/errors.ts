// Owns the errors of the demo estate.
import { defineErrors, type ErrorFamily } from '../kernel/index.js';

export const demoErrors: ErrorFamily<
  'demo_rows_invalid' | 'demo_target_not_empty' | 'demo_estate_in_use' | 'demo_estate_missing'
> = defineErrors({
  demo_rows_invalid: {
    exit: 3,
    when: 'the size asked for the demo estate is not a whole number in the supported range',
    help: 'give a whole number of births from 2000 to 5000000',
  },
  demo_target_not_empty: {
    exit: 3,
    when: 'the schema in which the demo estate should be built is not empty',
    help: 'build into an empty database; an earlier demo estate can be replaced, anything else is never dropped',
  },
  demo_estate_in_use: {
    exit: 3,
    when: 'the demo estate should be replaced, but GCOS or something else in the database depends on it',
    help: 'run `gcos uninstall` first, drop what depends on the estate, or build into another database',
  },
  demo_estate_missing: {
    exit: 3,
    when: 'traffic is asked for in a database that holds no demo estate',
    help: 'build one with `gcos demo build` in an empty database; traffic never touches anything else',
  },
});
