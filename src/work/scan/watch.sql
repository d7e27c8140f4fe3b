-- name: readTrouble
-- Inventory groups that need attention at :at: verdicts that expired at least :seconds seconds ago, and units
-- that require coverage and have not been evaluated. With the highest risk class of each group.
with row as (
  select c.inventory_key, c.risk_class, c.stale_after, c.coverage_required, c.coverage_outcome, c.weight
  from governance_candidate_state c
  where c.row_state = 'active'
  union all
  select o.inventory_key, o.risk_class, o.stale_after, o.coverage_required, o.coverage_outcome, o.weight
  from governance_candidate_object o
  where o.row_state = 'active'
),
trouble as (
  select r.inventory_key, r.risk_class, 'stale' as what
  from row r
  where r.stale_after <= :at::timestamptz - make_interval(secs => :seconds::float8)
  union all
  select r.inventory_key, r.risk_class, 'unknown'
  from row r
  where r.weight = 1 and r.coverage_required and coalesce(r.coverage_outcome, 'not_evaluated') = 'not_evaluated'
)
select t.what, t.inventory_key, i.object_class, i.source_registry, count(*) as rows,
  (array_agg(t.risk_class order by array_position(array['write_high', 'write_low', 'read', 'descriptive'], t.risk_class)))[1] as risk_class
from trouble t
join governance_inventory i on i.inventory_key = t.inventory_key
group by t.what, t.inventory_key, i.object_class, i.source_registry
order by t.what, t.inventory_key collate "C"
