-- What must be known of each log before its horizon is believed: the snapshot, whose server this is, and which files the table has,
-- as the snapshot says and as they are by now.
select l.source, s.horizon, s.upper, s.upper::text::bigint + age(s.upper::xid) as next_xid,
  (select c.system_identifier::text from pg_control_system() as c) as system_identifier,
  substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) as timeline, coalesce(f.seen, '') as files_seen, coalesce(f.real, '') as files
from unnest($1::text[]) as l(source)
cross join (
  select pg_snapshot_xmin(n.now) as horizon, pg_snapshot_xmax(n.now) as upper from (select pg_current_snapshot() as now) as n
) as s
cross join lateral (
  select string_agg(concat_ws(':', c.oid, c.relfilenode), ',' order by c.oid) as seen,
    string_agg(concat_ws(':', c.oid, coalesce(pg_relation_filenode(c.oid), 0)), ',' order by c.oid) as real
  from (
    select to_regclass(quote_ident(l.source))::oid as oid
    union
    select t.relid::oid from pg_partition_tree(to_regclass(quote_ident(l.source))) as t where t.isleaf
  ) as r
  join pg_class c on c.oid = r.oid
) as f
order by l.source
