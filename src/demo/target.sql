-- name: inspectTarget
-- The contents of schema :schema: whether it exists, and whether a build created it (its comment is :mark),
-- its relations with one of the names :names, its other relations, and whether GCOS is installed in it.
-- nullable: marker
select
  exists (select from pg_namespace where nspname = :schema) as schema_exists,
  exists (
    select from pg_namespace s
    where s.nspname = :schema and obj_description(s.oid, 'pg_namespace') = :mark::text) as schema_built,
  coalesce(array_agg(c.relname::text order by c.relname) filter (where c.relname = any (:names::text[])), '{}') as occupied,
  coalesce(array_agg(c.relname::text order by c.relname) filter (where c.relname <> all (:names::text[])), '{}') as foreign_relations,
  coalesce(bool_or(c.relname = 'gcos_migration'), false) as has_gcos,
  max(obj_description(c.oid, 'pg_class')) filter (where c.relname = 'birth_registry') as marker
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
where n.nspname = :schema
  and c.relkind in ('r', 'p', 'v', 'm', 'f')
