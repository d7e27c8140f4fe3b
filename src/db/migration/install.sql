-- name: readFacts
-- The facts that decide how the connected role can install the schema. `is_home`: an earlier installation
-- created the tables of the host.
select
  current_user::text as login,
  r.rolsuper or r.rolcreaterole as may_create_roles,
  has_database_privilege(current_database(), 'create') or to_regnamespace(quote_ident(:trust_schema::text)) is not null as may_create_schema,
  coalesce((select array_agg(w.role order by w.role) from unnest(:roles::text[]) as w(role)
    where not exists (select from pg_roles p where p.rolname = w.role)), '{}') as missing_roles,
  coalesce((select array_agg(c.relname::text order by c.relname) from pg_class c
    where c.relnamespace = to_regnamespace(quote_ident(:schema::text)) and c.relkind in ('r', 'p', 'v', 'm', 'f')), '{}') as tables,
  exists (select from pg_class c
    where c.relnamespace = to_regnamespace(quote_ident(:schema::text)) and c.relname = 'birth_registry'
      and pg_get_userbyid(c.relowner) = :source_role::text) as is_home
from pg_roles r
where r.rolname = current_user
