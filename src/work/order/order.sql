-- name: orderWork
-- nullable: order_id
select outcome, order_id, login from gcos_order_work(:kind::text, :subject::text)

-- name: readOrders
-- Orders, the latest first, before order :before. The first scan of at least the ordered mode that began
-- after a scan was ordered is its result. Of syncs only the last one is known.
-- nullable: run_id, ended_at, error, :order_id, :kind, :subject, :status, :before
select o.order_id, o.kind, o.subject, o.ordered_by, o.ordered_at, w.status, w.run_id, w.ended_at, w.error
from gcos_work_order o
cross join lateral (
  select coalesce(r.status, 'waiting') as status, r.run_id, r.finished_at as ended_at, r.error
  from (values (1)) as one(no)
  left join lateral (
    select n.status, n.run_id, n.finished_at, n.error
    from candidate_scan_run n
    where n.mode in (o.subject, 'full') and n.started_at >= o.ordered_at
    order by n.started_at, n.run_id
    limit 1
  ) as r on true
  where o.kind = 'scan'
  union all
  select case when s.read_at >= o.ordered_at then 'completed' when s.failed_at >= o.ordered_at or s.status is distinct from 'active' then 'failed'
      else 'waiting' end,
    null, case when s.read_at >= o.ordered_at then s.synced_at when s.failed_at >= o.ordered_at then s.failed_at end,
    case when s.read_at >= o.ordered_at then null when s.failed_at >= o.ordered_at then s.failure_code
      when s.status is distinct from 'active' then 'source_unknown' end
  from (values (1)) as one(no)
  left join gcos_sources() as s on s.name = o.subject
  where o.kind = 'sync'
) as w
where (:order_id::bigint is null or o.order_id = :order_id)
  and (:kind::text is null or o.kind = :kind)
  and (:subject::text is null or o.subject = :subject)
  and (:status::text is null or w.status = :status)
  and (:before::bigint is null or o.order_id < :before)
order by o.order_id desc
limit :limit::bigint

-- name: readOrderedScans
-- The modes of the scans that were ordered and have not begun. An order from the future was given before the
-- clock was set back: no scan of today begins after it.
select distinct o.subject as mode
from gcos_work_order o
where o.kind = 'scan' and o.ordered_at <= gcos_now()
  and not exists (
    select from candidate_scan_run r
    where r.mode in (o.subject, 'full') and r.started_at >= o.ordered_at)

-- name: readOrderedSyncs
-- The sources whose last attempt is older than an order for them. Those that were never read are due anyway.
select distinct d.name, d.kind, d.config::text as config, d.overdue_seconds
from gcos_due_sources(0, 'Infinity') d
join gcos_work_order o on o.kind = 'sync' and o.subject = d.name and o.ordered_at <= gcos_now()
  and d.overdue_seconds > extract(epoch from gcos_now() - o.ordered_at)::float8
order by d.name
