delete from governance_setting where setting_key in ('handoff.window', 'handoff.pace', 'handoff.storm', 'handoff.heartbeat');
drop table gov_handoff_watch;
drop table gov_handoff_seen;
drop table governance_handoff_map;
