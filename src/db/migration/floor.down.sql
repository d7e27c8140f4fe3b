drop table governance_setting;
drop table gcos_migration;
