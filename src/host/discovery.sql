-- name: readTables
-- The relations of the contract that exist in this schema, and the privileges of the connected role on them.
select
  c.relname::text as relation,
  c.relkind::text as kind,
  greatest(c.reltuples, 0)::int8 as estimated_rows,
  row_security_active(c.oid) as row_security_applies,
  has_table_privilege(c.oid, 'select') as may_select,
  has_table_privilege(c.oid, 'insert') as may_insert,
  has_table_privilege(c.oid, 'update') as may_update,
  pg_get_userbyid(c.relowner)::text as owner
from pg_class c
where c.relnamespace = to_regnamespace(quote_ident(:schema::text))
  and c.relkind in ('r', 'p', 'v', 'm', 'f')
  and c.relname = any (:relations::text[])
order by relation

-- name: readColumns
-- The columns of those relations with their type families. A domain, also a nested one, counts as its base
-- type.
with recursive base (oid, type_oid, depth) as (
  select t.oid, t.oid, 0 from pg_type t
  where t.oid in (select a.atttypid from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = to_regnamespace(quote_ident(:schema::text)) and c.relname = any (:relations::text[]))
  union all
  select b.oid, t.typbasetype, b.depth + 1 from base b join pg_type t on t.oid = b.type_oid and t.typtype = 'd'
)
select
  c.relname::text as relation,
  a.attname::text as column_name,
  format_type(a.atttypid, a.atttypmod) as type_name,
  case
    when t.typname in ('int2', 'int4', 'int8', 'numeric') then 'integer'
    when t.typname in ('text', 'varchar', 'bpchar', 'name', 'citext') then 'text'
    when t.typtype = 'e' then 'enum'
    when t.typname = 'bool' then 'boolean'
    when t.typname in ('timestamptz', 'timestamp', 'uuid', 'interval') then t.typname::text
    when t.typname in ('json', 'jsonb') then 'json'
    when t.typcategory = 'A' then 'array'
    else 'other'
  end as family
from pg_class c
join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
join base b on b.oid = a.atttypid
join pg_type t on t.oid = b.type_oid and t.typtype <> 'd'
where c.relnamespace = to_regnamespace(quote_ident(:schema::text))
  and c.relkind in ('r', 'p', 'v', 'm', 'f')
  and c.relname = any (:relations::text[])
order by relation, a.attnum

-- name: readServer
-- The server's version and settings, and the attributes of the connected role.
select
  current_setting('server_version_num')::int4 as version_num,
  current_setting('server_version') as version,
  current_database()::text as database,
  current_user::text as login,
  (select r.rolsuper from pg_roles r where r.rolname = current_user) as superuser,
  pg_encoding_to_char(d.encoding)::text as encoding,
  pg_is_in_recovery() as standby,
  current_setting('autovacuum')::bool as autovacuum,
  coalesce(current_setting('old_snapshot_threshold', true), '-1') as old_snapshot_threshold,
  current_setting('max_connections')::int4 as max_connections,
  to_regnamespace(quote_ident(:schema::text)) is not null as schema_present,
  coalesce(has_schema_privilege(to_regnamespace(quote_ident(:schema::text))::oid, 'create'), false) as may_create_tables,
  (select r.rolsuper or r.rolcreaterole from pg_roles r where r.rolname = current_user) as may_create_roles
from pg_database d
where d.datname = current_database()

-- name: readMemberRegistries
-- The member registries that meta_catalog names, and whether a relation of that name exists in this schema.
-- This is the only statement of this file that reads a host table: run it only if meta_catalog has the
-- expected shape.
select distinct
  m.registry_collection::text as relation,
  c.oid is not null as present
from meta_catalog m
left join pg_class c on c.relname = m.registry_collection
  and c.relnamespace = to_regnamespace(quote_ident(:schema::text))
  and c.relkind in ('r', 'p', 'v', 'm', 'f')
where m.registry_collection is not null and m.registry_collection <> ''
order by relation
