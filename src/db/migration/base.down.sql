drop function gcos_commit_durably();
drop table governance_setting;
drop table gcos_grant;
drop table gcos_migration;
