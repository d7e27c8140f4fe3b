-- use: ../../inventory/tail/births.sql

-- name: readFactRows
-- The facts that decide whether the horizon of each log is still valid: the snapshot, the identity of the
-- server, and the files of the table with its partitions and inheritance children, as the snapshot sees them
-- and as they are now. `pages`: how many the largest of these tables has.
select l.source, s.horizon, s.upper, s.upper::text::bigint + age(s.upper::xid) as next_xid,
  (select c.system_identifier::text from pg_control_system() as c) as system_identifier,
  substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) as timeline, coalesce(f.seen, '') as files_seen, coalesce(f.real, '') as files,
  coalesce(f.pages, 0) as pages
from unnest(:sources::text[]) as l(source)
cross join (
  select pg_snapshot_xmin(n.now) as horizon, pg_snapshot_xmax(n.now) as upper from (select pg_current_snapshot() as now) as n
) as s
cross join lateral (
  with recursive relation as (
    select to_regclass(quote_ident(l.source))::oid as oid
    union
    select i.inhrelid from pg_inherits i join relation p on p.oid = i.inhparent
  )
  select string_agg(concat_ws(':', c.oid, c.relfilenode), ',' order by c.oid) as seen,
    string_agg(concat_ws(':', c.oid, coalesce(pg_relation_filenode(c.oid), 0)), ',' order by c.oid) as real,
    max(pg_relation_size(c.oid)) / current_setting('block_size')::bigint as pages
  from relation r
  join pg_class c on c.oid = r.oid
) as f
order by l.source

-- name: insertSeen
insert into gov_intake_log_seen (source, ref, xid)
select :source::text, u.ref, u.xid
from unnest(:refs::text[], :xids::bigint[]) as u(ref, xid)
order by u.ref, u.xid
on conflict do nothing

-- name: pruneSeen
-- Forgets at most :limit row versions below the horizon, which are never read again (null: of all); returns
-- how many.
-- nullable: :horizon
with gone as (
  delete from gov_intake_log_seen s
  where s.ctid = any (array(
    select o.ctid
    from gov_intake_log_seen o
    where o.source = :source::text and (:horizon::bigint is null or o.xid < :horizon::bigint)
    limit :limit::bigint))
  returning s.ref
)
select count(*) as lines from gone

-- fragment: unseen
-- Whether row `b` is in the pages :first to :last, was written since the horizon :horizon and is not taken in
-- yet.
{{in_pages}} and {{since_horizon}}
  and not exists (
    select from gov_intake_log_seen s where s.source = :source::text and s.ref = b.id::text and s.xid = :next_xid::bigint - age(b.xmin))

-- name: readChangelogLines
-- At most :limit unseen lines of the change log in some pages, with the class and key of their object;
-- `found`: how many there are, counted up to :count_up_to + 1. `own` marks lines that GCOS wrote, or that
-- describe GCOS objects.
-- nullable: kind_of, code
with line as (
  select b.id::text as ref, :next_xid::bigint - age(b.xmin) as xid, coalesce(b.action::text, '') as action, b.entity_type::text as kind_of,
    b.entity_code::text as code,
    coalesce(starts_with(b.changed_by::text, 'gcos:') or starts_with(b.entity_code::text, 'GCOS-'), false) as own
  from registry_changelog b
  where {{unseen}}
  limit :count_up_to::bigint + 1
)
select l.ref, l.xid, l.action, l.kind_of, l.code, l.own, count(*) over () as found
from line l
limit :limit::bigint

-- name: readOutboxLines
-- The same for the events of other domains, with their subject.
-- nullable: code
with line as (
  select b.id::text as ref, :next_xid::bigint - age(b.xmin) as xid, concat_ws('.', b.event_domain::text, b.event_type::text) as action,
    b.event_subject_table::text as kind_of, b.event_subject_ref::text as code,
    coalesce(b.event_domain = 'governance' or b.source_system = 'gcos' or starts_with(b.event_subject_ref::text, 'GCOS-'), false) as own
  from event_outbox b
  where {{unseen}}
  limit :count_up_to::bigint + 1
)
select l.ref, l.xid, l.action, l.kind_of, l.code, l.own, count(*) over () as found
from line l
limit :limit::bigint

-- name: rememberChangelog
-- Takes at most :limit unseen lines of the change log in some pages as taken in; returns how many.
with taken as (
  insert into gov_intake_log_seen (source, ref, xid)
  select :source::text, b.id::text, :next_xid::bigint - age(b.xmin)
  from registry_changelog b
  where {{unseen}}
  limit :limit::bigint
  on conflict do nothing
  returning ref
)
select count(*) as lines from taken

-- name: rememberOutbox
-- The same for the outbox.
with taken as (
  insert into gov_intake_log_seen (source, ref, xid)
  select :source::text, b.id::text, :next_xid::bigint - age(b.xmin)
  from event_outbox b
  where {{unseen}}
  limit :limit::bigint
  on conflict do nothing
  returning ref
)
select count(*) as lines from taken

-- name: lockLogs
-- Prevents a rewrite of the logs while a round reads them. Does not block writers.
lock table registry_changelog, event_outbox in access share mode
