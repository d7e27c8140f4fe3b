-- What identifies the structure of everything in the schema: whose server this is, every version of its relations and of their
-- columns; which of $1 are plain tables that may be read, and how many are there at all. Nothing on a standby: its history can be replaced while it runs.
select
  concat_ws(':', (select k.system_identifier from pg_control_system() as k), substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8), current_user,
    count(*), sum(r.version), sum(a.versions)) as structure,
  coalesce(array_agg(r.relname::text order by r.relname) filter (where r.relname = any ($1::text[]) and r.relkind = 'r' and not r.relhassubclass
    and has_table_privilege(r.oid, 'select')), '{}') as plain,
  count(*) filter (where r.relname = any ($1::text[])) as found
from (
  select c.oid, c.relname, c.relkind, c.relhassubclass, hashtextextended(c.xmin::text, hashtidextended(c.ctid, 4703202606014703)) as version
  from pg_class c
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'v', 'm', 'f', 'p')
) r
left join (
  select t.attrelid, sum(hashtextextended(t.xmin::text, hashtidextended(t.ctid, 4703202606014703))) as versions
  from pg_attribute t
  where t.attnum > 0
  group by t.attrelid
) a on a.attrelid = r.oid
where not pg_is_in_recovery()
having count(*) > 0
