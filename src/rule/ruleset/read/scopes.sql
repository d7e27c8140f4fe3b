select s.scope_code::text as scope_code
from governance_responsibility_scope s
where s.status::text = 'active'
order by s.scope_code::text collate "C"
