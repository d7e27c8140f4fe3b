drop function {{trust}}.gcos_audit(text[], text[], text[], text[], text, text);
