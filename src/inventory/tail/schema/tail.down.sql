delete from governance_setting where setting_key = 'tail.limits';
drop table gov_intake_gap;
drop table gov_intake_seen;
