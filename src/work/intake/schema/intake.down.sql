delete from governance_setting where setting_key in ('intake.window', 'intake.pace', 'intake.storm', 'intake.heartbeat');
drop table gov_intake_registry;
drop table gov_intake_log_seen;
drop table governance_handoff_map;
