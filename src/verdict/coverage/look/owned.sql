-- Rows of a registry that must have an owner.
select t.{{code}}::text as code, t.{{owner}}::text as owner, {{status}} as status
from {{table}} t
where t.{{code}} is not null{{where}}
order by 1
