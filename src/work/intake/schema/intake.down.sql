drop function {{trust}}.gcos_request_round();
drop sequence {{schema}}.gov_intake_request;
drop function {{trust}}.gcos_watched_at();
drop function {{trust}}.gcos_note_watched(text, text, bigint);
drop table {{schema}}.gov_intake_watch;
drop table {{schema}}.gov_intake_registry;
drop table {{schema}}.gov_intake_log_seen;
drop table {{schema}}.governance_handoff_map;
