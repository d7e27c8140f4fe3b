drop function {{trust}}.gcos_ledger_closed_at();
delete from {{trust}}.governance_setting where setting_key in ('scan.pace', 'scan.risk', 'scan.lag', 'scan.audit');
