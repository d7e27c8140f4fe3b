drop function {{trust}}.gcos_write_person(text, text, text, boolean);
drop function {{trust}}.gcos_revoke_token(text);
drop function {{trust}}.gcos_create_token(text, text, boolean, text[], text[], text[], integer);
drop function {{trust}}.gcos_is_administrator();
drop function {{trust}}.gcos_asking();
drop function {{trust}}.gcos_present(text, text, text, text);
drop view {{trust}}.governance_token;
drop table {{trust}}.gcos_token_use;
drop table {{trust}}.gcos_token;
