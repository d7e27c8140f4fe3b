-- What kind of server this is, and who we are on it.
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
  to_regnamespace(quote_ident($1::text)) is not null as schema_present,
  coalesce(has_schema_privilege(to_regnamespace(quote_ident($1::text))::oid, 'create'), false) as may_create_tables,
  (select r.rolsuper or r.rolcreaterole from pg_roles r where r.rolname = current_user) as may_create_roles
from pg_database d
where d.datname = current_database()
