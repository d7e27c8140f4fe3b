-- The comment on birth_registry in schema $1; no row when there is no such table.
select obj_description(c.oid, 'pg_class') as comment
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
where n.nspname = $1
  and c.relname = 'birth_registry'
  and c.relkind in ('r', 'p');
