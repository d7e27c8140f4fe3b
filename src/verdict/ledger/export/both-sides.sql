-- Checks that the rows of GCOS account for exactly the inventory of the host. Returns one row per scope
-- and inventory group that differs; no rows: both sides agree. Left side: the inventory, read from tables
-- of the host only. Right side: the verdict rows of GCOS, read from governance_candidate_state,
-- governance_candidate_object and governance_inventory, and from gov_worker_retry for births that GCOS could
-- not process. The statement compares counts and sums of key hashes, so one missing and one extra object
-- do not cancel out. Rows whose source is gone (tombstones) are on neither side. A birth that GCOS has
-- not processed yet appears here until it has.
with {{there}},
expected_scope (scope) as (
  {{scopes}}
),
{{failed}},
accounted as (
  select c.scope, i.object_class, i.source_registry, i.axis_family, i.lifecycle_status, 1::bigint as units, 0::numeric as keys
  from {{schema}}.governance_candidate_state c
  join {{schema}}.governance_inventory i on i.inventory_key = c.inventory_key
  where c.weight = 1 and c.row_state = 'active'
  union all
  select c.scope, i.object_class, i.source_registry, i.axis_family, i.lifecycle_status, 1,
    hashtextextended(c.entity_code collate "C", 0)
  from {{schema}}.governance_candidate_object c
  join {{schema}}.governance_inventory i on i.inventory_key = c.inventory_key
  where c.weight = 1 and c.row_state = 'active'
  union all
  select f.scope, f.object_class, f.source_registry, f.axis_family, f.lifecycle_status, f.units, f.keys from failed f
),
side as (
  select s.scope, t.object_class, t.source_registry, t.axis_family, t.lifecycle_status, t.units as there, t.keys as keys_there,
    0::bigint as accounted, 0::numeric as keys_accounted
  from there t
  cross join expected_scope s
  union all
  select a.scope, a.object_class, a.source_registry, a.axis_family, a.lifecycle_status, 0, 0, a.units, a.keys
  from accounted a
  join expected_scope s on s.scope = a.scope
)
select d.scope, d.object_class, d.source_registry, d.axis_family, d.lifecycle_status, sum(d.there)::bigint as there,
  sum(d.accounted)::bigint as accounted_for, sum(d.keys_there) = sum(d.keys_accounted) as same_keys
from side d
group by d.scope, d.object_class, d.source_registry, d.axis_family, d.lifecycle_status
having sum(d.there) <> sum(d.accounted) or sum(d.keys_there) <> sum(d.keys_accounted)
order by 1, 3, 2, 4, 5;
