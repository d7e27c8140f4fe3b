drop function {{trust}}.gcos_audit_work(text[], text[], text[], text[]);
drop function {{trust}}.gcos_audit(text[], text[], text[], text[], text);
