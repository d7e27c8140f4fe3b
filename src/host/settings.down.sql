drop function {{trust}}.gcos_host_severities(text);
drop function {{trust}}.gcos_host_word(text, text);
drop table {{trust}}.governance_host_word;
