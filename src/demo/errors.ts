// Owns the errors of the demo estate.
import { defineErrors, type ErrorFamily } from '../kernel/index.js';

export const demoErrors: ErrorFamily<
  'demo_rows_invalid' | 'demo_target_not_empty' | 'demo_estate_in_use' | 'demo_estate_missing'
> = defineErrors({
  demo_rows_invalid: {
    exit: 3,
    when: 'the requested size of the demo estate is not a whole number in the supported range',
    help: 'give a whole number of births from 2000 to 100000000',
  },
  demo_target_not_empty: {
    exit: 3,
    when: 'the target schema of the demo estate is not empty',
    help: 'build into an empty database; only an earlier demo estate can be replaced, other tables are never dropped',
  },
  demo_estate_in_use: {
    exit: 3,
    when: 'the demo estate cannot be replaced or dropped, because GCOS or other objects in the database depend on it',
    help: 'run `gcos uninstall` first, drop the objects that depend on the estate, or build into another database',
  },
  demo_estate_missing: {
    exit: 3,
    when: 'traffic on a demo estate, or its removal, is requested in a database without one',
    help: 'build one with `gcos demo build` in an empty database; GCOS changes and drops nothing else',
  },
});
