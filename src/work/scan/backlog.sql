-- name: readDue
-- Inventory groups that wait at :at, ordered by exposure, at most :limit: groups with rows marked dirty at
-- least :rest_ms ms ago and, if :expired, with expired rows. Exposure is the weight of the risk class (:risk)
-- times the seconds of waiting. `moved`: the only dirty reason is that the inventory moved. `units`: about
-- how many units the group has in each scope. A failed group waits for its retry instead.
with waiting as (
  select c.inventory_key, c.risk_class, c.dirty_reason, count(*) as rows, sum(date_part('epoch', :at::timestamptz - c.dirtied_at)) as seconds
  from governance_candidate_state c
  where c.dirty and c.row_state = 'active' and c.recompute_status <> 'failed' and c.dirtied_at <= :at::timestamptz - make_interval(secs => :rest_ms::float8 / 1000)
  group by c.inventory_key, c.risk_class, c.dirty_reason
  union all
  select o.inventory_key, o.risk_class, o.dirty_reason, count(*), sum(date_part('epoch', :at::timestamptz - o.dirtied_at))
  from governance_candidate_object o
  where o.dirty and o.row_state = 'active' and o.recompute_status <> 'failed' and o.dirtied_at <= :at::timestamptz - make_interval(secs => :rest_ms::float8 / 1000)
  group by o.inventory_key, o.risk_class, o.dirty_reason
  union all
  select c.inventory_key, c.risk_class, null, count(*), sum(date_part('epoch', :at::timestamptz - c.stale_after))
  from governance_candidate_state c
  where :expired::boolean and c.row_state = 'active' and c.stale_after <= :at::timestamptz and not c.dirty
    and c.recompute_status <> 'failed'
  group by c.inventory_key, c.risk_class
  union all
  select o.inventory_key, o.risk_class, null, count(*), sum(date_part('epoch', :at::timestamptz - o.stale_after))
  from governance_candidate_object o
  where :expired::boolean and o.row_state = 'active' and o.stale_after <= :at::timestamptz and not o.dirty
    and o.recompute_status <> 'failed'
  group by o.inventory_key, o.risk_class
)
select w.inventory_key, bool_and(coalesce(gcos_only_moved(w.dirty_reason), false)) as moved, sum(w.rows)::bigint as rows,
  (select case when i.inherits then 1 else coalesce(i.grain_count, i.member_count, 1000) end
   from governance_inventory i where i.inventory_key = w.inventory_key) as units,
  sum(w.seconds * coalesce((:risk::jsonb ->> w.risk_class)::float8, 8)) as exposure
from waiting w
group by w.inventory_key
order by exposure desc, w.inventory_key collate "C"
limit :limit::bigint

-- name: readBacklogRow
-- The backlog at :at: dirty or expired groups, the number of all groups, the time of the oldest mark, and the
-- exposure of all rows.
-- nullable: oldest
with waiting as (
  select true as is_group, c.risk_class, case when c.dirty then c.dirtied_at else c.stale_after end as since
  from governance_candidate_state c
  where c.row_state = 'active' and (c.dirty or c.stale_after <= :at::timestamptz)
  union all
  select false, o.risk_class, case when o.dirty then o.dirtied_at else o.stale_after end
  from governance_candidate_object o
  where o.row_state = 'active' and (o.dirty or o.stale_after <= :at::timestamptz)
)
select count(*) filter (where w.is_group) as groups, count(*) filter (where not w.is_group) as objects,
  (select count(*) from governance_candidate_state c where c.row_state = 'active') as all_groups, min(w.since) as oldest,
  coalesce(extract(epoch from :at::timestamptz - min(w.since)), 0)::float8 as waited_seconds,
  coalesce(bool_or(w.risk_class = 'write_high'), false) as high_risk,
  coalesce(sum(greatest(extract(epoch from :at::timestamptz - w.since), 0)::float8 * coalesce((:risk::jsonb ->> w.risk_class)::float8, 8)), 0)::float8 as exposure
from waiting w

-- name: readOldestMark
-- For how many seconds the oldest dirty row has been waiting at :at; 0: none waits. Failed groups wait for
-- their retry, which is not the scanner's lag.
select coalesce(greatest(extract(epoch from :at::timestamptz - min(m.dirtied_at)), 0), 0)::float8 as waited_seconds
from (
  select c.dirtied_at from governance_candidate_state c where c.dirty and c.row_state = 'active' and c.recompute_status <> 'failed'
  union all
  select o.dirtied_at from governance_candidate_object o where o.dirty and o.row_state = 'active' and o.recompute_status <> 'failed'
) as m

-- name: countGroups
-- The groups that readDue can return: those with an active row, even if they have no births.
select count(*) as groups
from (
  select c.inventory_key from governance_candidate_state c where c.row_state = 'active'
  union
  select o.inventory_key from governance_candidate_object o where o.row_state = 'active'
) as g
