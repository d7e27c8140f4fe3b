// Owns the errors of the ledger module.
import { defineErrors } from '../../kernel/index.js';

export const ledgerErrors = defineErrors({
  ledger_malformed: {
    exit: 1,
    when: 'a stored ledger does not have the form GCOS writes',
    help: 'close a new ledger with `gcos backfill run`; if the row was not changed by hand, please report it',
  },
  ledger_not_closed: {
    exit: 2,
    when: 'a ledger export is requested, and no run has closed a ledger under a snapshot and a ruleset',
    help: 'close the first ledger with `gcos backfill run`',
  },
  ledger_scope_unknown: {
    exit: 3,
    when: 'the requested scope is not in the ledger',
    help: 'the error lists the scopes; omit --scope to see all of them',
  },
});
