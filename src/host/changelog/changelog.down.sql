drop function gcos_audit(text[], text[], text[], text[], text, text);
