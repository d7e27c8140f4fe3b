-- name: readFactsRow
-- The facts with which a round checks its horizon: its snapshot, the identity of the server, and the
-- files of the table, as in the snapshot and as of now. The table includes everything that a query of it
-- reads: its partitions and inheritance children, of which `unreadable` are no tables of this database.
-- `next_xid` is the full transaction id from which age() counts in this transaction.
with recursive relation as (
  select 'birth_registry'::regclass::oid as oid
  union
  select i.inhrelid from pg_inherits i join relation r on r.oid = i.inhparent
),
file as (
  select string_agg(concat_ws(':', c.oid, c.relfilenode), ',' order by c.oid) as seen,
    string_agg(concat_ws(':', c.oid, coalesce(pg_relation_filenode(c.oid), 0)), ',' order by c.oid) as real,
    max(pg_relation_size(c.oid)) / current_setting('block_size')::bigint as pages,
    array_agg(c.oid::regclass::text order by c.oid) filter (where c.relkind not in ('r', 'p')) as unreadable
  from relation r
  join pg_class c on c.oid = r.oid
),
snapshot as (
  select pg_snapshot_xmin(s.now) as horizon, pg_snapshot_xmax(s.now) as upper
  from (select pg_current_snapshot() as now) as s
)
select current_setting('transaction_isolation') as isolation, s.horizon, s.upper,
  s.upper::text::bigint + age(s.upper::xid) as next_xid,
  (select c.system_identifier::text from pg_control_system() as c) as system_identifier,
  substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) as timeline,
  coalesce(f.seen, '') as files_seen, coalesce(f.real, '') as files, coalesce(f.pages, 0) as pages, now() as at,
  coalesce(f.unreadable, '{}') as unreadable
from snapshot s
cross join file f

-- name: lockBirths
-- Prevents a rewrite of the table during a round. Births are not blocked.
lock table birth_registry in access share mode
