drop table {{schema}}.gov_intake_range;
drop table {{schema}}.gov_intake_gap;
drop table {{schema}}.gov_intake_seen;
