select s.scope_code::text as scope, s.default_owner_hint::text as owner
from governance_responsibility_scope s
where s.scope_code = any ($1::text[]) and s.default_owner_hint is not null
