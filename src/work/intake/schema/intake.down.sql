delete from governance_setting where setting_key in ('intake.window', 'intake.pace', 'intake.storm', 'intake.heartbeat');
drop function gcos_watched_at();
drop function gcos_note_watched(text, text, bigint);
drop table gov_intake_watch;
drop table gov_intake_registry;
drop table gov_intake_log_seen;
drop table governance_handoff_map;
