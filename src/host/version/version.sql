-- name: readStructure
-- What identifies the structure of everything in the schema: whose server this is, every version of its
-- relations and of their columns; which of :tables are plain tables that may be read, and how many are there
-- at all. Nothing on a standby: its history can be replaced while it runs.
select
  concat_ws(':', (select k.system_identifier from pg_control_system() as k), substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8), current_user,
    count(*), sum(hashtextextended(r.xmin::text, hashtidextended(r.ctid, 4703202606014703))),
    (
      select concat_ws(':', count(*), sum(hashtextextended(a.xmin::text, hashtidextended(a.ctid, 4703202606014703))))
      from pg_attribute a
      where a.attnum > 0 and a.attrelid = any (array_agg(r.oid))
    )) as structure,
  coalesce(array_agg(r.relname::text order by r.relname) filter (where r.relname = any (:tables::text[]) and r.relkind = 'r' and not r.relhassubclass
    and has_table_privilege(r.oid, 'select')), '{}') as plain,
  count(*) filter (where r.relname = any (:tables::text[])) as found
from pg_class r
where r.relnamespace = current_schema()::regnamespace and r.relkind in ('r', 'v', 'm', 'f', 'p') and not pg_is_in_recovery()
having count(*) > 0
