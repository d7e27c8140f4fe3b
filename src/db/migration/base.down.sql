drop function {{trust}}.gcos_take_lock(text);
drop table {{trust}}.gcos_lock;
drop function {{trust}}.gcos_commit_durably();
drop function {{trust}}.gcos_require_intact(regprocedure[]);
drop function {{trust}}.gcos_now();
drop table {{trust}}.governance_setting;
drop table {{schema}}.gcos_grant;
drop table {{schema}}.gcos_migration;
