drop function {{trust}}.gcos_ledger_closed_at();
