-- name: findProjects
-- The schemas that hold the tables of a Directus project.
select n.nspname::text as schema, has_schema_privilege(n.oid, 'usage') as may_use
from pg_namespace n
where 5 = (
  select count(*)
  from pg_class c
  where c.relnamespace = n.oid and c.relkind in ('r', 'p', 'v')
    and c.relname in ('directus_collections', 'directus_fields', 'directus_migrations', 'directus_permissions', 'directus_roles'))
order by n.nspname

-- name: readTables
-- The columns of these tables, and whether this login may read them.
select c.relname::text as table_name, a.attname::text as column_name, has_column_privilege(c.oid, a.attnum, 'select') as may_read,
  session_user::text as login
from pg_class c
join pg_namespace n on n.oid = c.relnamespace
join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
where n.nspname = :schema::text and c.relkind in ('r', 'p', 'v') and c.relname = any (:tables::text[])
order by c.relname, a.attnum
