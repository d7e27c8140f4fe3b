drop function gcos_take_lock(text);
drop table gcos_lock;
drop function gcos_commit_durably();
drop table governance_setting;
drop table gcos_grant;
drop table gcos_migration;
