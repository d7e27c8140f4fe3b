delete from governance_setting where setting_key in ('backfill.pace', 'backfill.guard');
drop table gov_backfill_partial;
