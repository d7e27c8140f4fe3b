// Owns what can go wrong with ledgers.
import { defineErrors } from '../../kernel/index.js';

export const ledgerErrors = defineErrors({
  ledger_malformed: {
    exit: 1,
    when: 'a stored ledger does not have the form GCOS writes',
    help: 'close a new one with `gcos backfill run`; if nobody changed the row by hand, please report it',
  },
  ledger_not_closed: {
    exit: 2,
    when: 'a ledger is to be exported, and no run has closed one under a snapshot and a ruleset',
    help: '`gcos backfill run` closes the first',
  },
  ledger_scope_unknown: {
    exit: 3,
    when: 'a ledger was asked for in a scope that it does not have',
    help: 'leave --scope out to see which scopes there are',
  },
});
