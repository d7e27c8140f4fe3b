-- name: findMarkerComment
-- The comment on birth_registry in schema :schema; no row if there is no such table.
-- nullable: comment
select obj_description(c.oid, 'pg_class') as comment
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
where n.nspname = :schema
  and c.relname = 'birth_registry'
  and c.relkind in ('r', 'p')
