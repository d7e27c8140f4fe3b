-- use: ../inventory/tail/births.sql

-- name: readPulse
-- What the duties of a worker wait for. The leases that are held depend on the time. `changes` stands for the
-- counters of all partitions, and of all tables of the host's schema but those that GCOS writes and the
-- intake does not read; null: the server does not count. A session may report its counts up to ten seconds
-- after its commit. All else changes only with a commit: null while the snapshot is :known. `births`: a near
-- round would find one. `signals`: the newest held signal, and the types that are active. `request`: the last
-- requested round.
-- nullable: changes, births, dirty, signals, undelivered
select s.snapshot,
  (select coalesce(array_agg(l.worker || '/' || l.source), '{}') from gov_worker_lease l
   where gcos_lease_is_held(l.released, l.expires_at)) as leases,
  case when current_setting('track_counts')::boolean then (
    select sum(hashint8extended(
      pg_stat_get_tuples_inserted(c.oid) + pg_stat_get_tuples_updated(c.oid) + pg_stat_get_tuples_deleted(c.oid),
      hashoidextended(c.relfilenode, hashoidextended(c.oid, 4703202606014703))))::text
    from pg_class c
    where c.relkind = 'r'
      and (c.relispartition or c.relnamespace = (select b.relnamespace from pg_class b where b.oid = 'birth_registry'::regclass))
      and c.relname !~ '^(gov_|governance_(candidate|inventory|group|verdict|hold|signal|delivery)|candidate_scan_run$|event_pending$|queue_heartbeat$)')
  end as changes,
  case when s.snapshot <> :known::text then
    coalesce((select b.id from birth_registry b where {{keyed}} order by b.id desc limit 1) > (
      select coalesce(n.watermark_id::bigint, -9223372036854775808) from gov_worker_cursor n
      where n.worker = 'intake' and n.source = 'birth_registry' and n.round = 'near'), false)
    or exists (
      select from gov_intake_gap g
      cross join lateral (
        select from birth_registry b
        where b.id >= g.first_id and b.id <= g.last_id and {{keyed}}
        order by b.id
        limit 1
      ) as found
      where g.source = 'birth_registry')
  end as births,
  case when s.snapshot <> :known::text then
    exists (select from governance_candidate_state c where c.dirty and c.row_state = 'active' and c.recompute_status <> 'failed')
    or exists (select from governance_candidate_object o where o.dirty and o.row_state = 'active' and o.recompute_status <> 'failed')
  end as dirty,
  case when s.snapshot <> :known::text then
    concat_ws(':', (select max(h.order_no) from governance_hold h),
      (select sum(hashtextextended(r.event_type, 0)) from event_type_registry r where r.active))
  end as signals,
  case when s.snapshot <> :known::text then exists (select from governance_delivery_fault) end as undelivered,
  -- The first value of a sequence is its last one before it is drawn, too.
  (select case when q.is_called then q.last_value else 0 end from gov_intake_request q) as request
from (select pg_current_snapshot()::text as snapshot) as s

-- name: requestRound
-- Asks the intake for a wide round.
select gcos_request_round() as request
