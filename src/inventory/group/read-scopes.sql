select s.scope_code::text as scope
from governance_responsibility_scope s
where s.status = 'active'
order by s.scope_code::text collate "C"
