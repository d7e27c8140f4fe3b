drop function {{trust}}.gcos_manage(text[], text[]);
drop function {{trust}}.gcos_managed_content(text[], text[]);
drop table {{schema}}.governance_managed;
