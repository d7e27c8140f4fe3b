delete from {{trust}}.governance_setting where setting_key = 'tail.limits';
drop table {{schema}}.gov_intake_gap;
drop table {{schema}}.gov_intake_seen;
