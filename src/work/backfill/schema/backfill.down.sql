delete from {{trust}}.governance_setting where setting_key in ('backfill.pace', 'backfill.guard');
drop table {{schema}}.gov_backfill_partial;
