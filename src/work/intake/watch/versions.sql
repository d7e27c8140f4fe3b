-- name: plainTables
-- Of these tables, the plain ones, and what identifies their structure: whose server this is, the files they
-- are in, and every version of their columns. Views, foreign and partitioned tables have no versions of rows
-- that could be told apart.
select t.name,
  concat_ws(':', (select c.system_identifier from pg_control_system() as c), substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8),
    r.oid, pg_relation_filenode(r.oid),
    (select sum(hashtextextended(a.xmin::text, hashtidextended(a.ctid, 4703202606014703))) from pg_attribute a where a.attrelid = r.oid)
  ) as structure
from unnest(:names::text[]) as t(name)
join pg_class r on r.oid = to_regclass(quote_ident(t.name))
where r.relkind = 'r' and not r.relhassubclass and has_table_privilege(r.oid, 'select')
