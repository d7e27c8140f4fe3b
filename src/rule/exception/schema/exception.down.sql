drop function gcos_revoke_exception(text, text, text, timestamptz, text);
drop function gcos_grant_exception(text, text, text, text, text, text, text, text, timestamptz, text, text, timestamptz, text);
drop function governance_exception_in_force(timestamptz);
drop function governance_exception_standing(timestamptz);
drop function gcos_ratified_exceptions();
drop function gcos_exception_terms(text, text, text, text, text, text, text, timestamptz, text);
drop function gcos_exception_fingerprint(text, text, text, text, text, text, text);
drop table governance_exception;
