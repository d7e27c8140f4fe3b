-- name: plainTables
-- The plain tables among :names, with an identity of their structure: the server, their files, and every
-- version of their columns. Views, foreign tables and partitioned tables have no distinguishable row
-- versions.
select t.name,
  concat_ws(':', (select c.system_identifier from pg_control_system() as c), substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8),
    r.oid, pg_relation_filenode(r.oid),
    (select sum(hashtextextended(a.xmin::text, hashtidextended(a.ctid, 4703202606014703))) from pg_attribute a where a.attrelid = r.oid)
  ) as structure
from unnest(:names::text[]) as t(name)
join pg_class r on r.oid = to_regclass(quote_ident(t.name))
where r.relkind = 'r' and not r.relhassubclass and has_table_privilege(r.oid, 'select')
