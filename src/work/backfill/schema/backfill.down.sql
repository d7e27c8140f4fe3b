drop table {{schema}}.gov_backfill_partial;
