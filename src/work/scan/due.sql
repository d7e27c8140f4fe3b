-- Inventory groups that wait at $1, the most exposed first, at most $5: with rows marked at least $2 ms ago, and, if $3, with rows that ran out.
-- Exposure is what a second counts for the risk ($4) times the seconds. `moved`: only the inventory moved, nothing else is known.
with waiting as (
  select c.inventory_key, c.risk_class, c.dirtied_at as since,
    gcos_only_moved(c.dirty_reason) as moved
  from governance_candidate_state c
  where c.dirty and c.row_state = 'active' and c.dirtied_at <= $1::timestamptz - make_interval(secs => $2::float8 / 1000)
  union all
  select o.inventory_key, o.risk_class, o.dirtied_at,
    gcos_only_moved(o.dirty_reason)
  from governance_candidate_object o
  where o.dirty and o.row_state = 'active' and o.dirtied_at <= $1::timestamptz - make_interval(secs => $2::float8 / 1000)
  union all
  select c.inventory_key, c.risk_class, c.stale_after, false
  from governance_candidate_state c
  where $3::boolean and c.row_state = 'active' and c.stale_after <= $1::timestamptz and not c.dirty
  union all
  select o.inventory_key, o.risk_class, o.stale_after, false
  from governance_candidate_object o
  where $3::boolean and o.row_state = 'active' and o.stale_after <= $1::timestamptz and not o.dirty
)
select w.inventory_key, bool_and(w.moved) as moved, count(*) as rows,
  sum(greatest(extract(epoch from $1::timestamptz - w.since), 0)::float8 * coalesce(($4::jsonb ->> w.risk_class)::float8, 8)) as exposure
from waiting w
group by w.inventory_key
order by exposure desc, w.inventory_key collate "C"
limit $5::bigint
