drop function {{trust}}.gcos_commit_durably();
drop function {{trust}}.gcos_require_intact(regprocedure[]);
drop function {{trust}}.gcos_now();
drop table {{trust}}.governance_setting;
drop function {{trust}}.gcos_leave_host();
drop function {{trust}}.gcos_enter_host();
drop table {{schema}}.gcos_grant;
drop table {{schema}}.gcos_migration;
