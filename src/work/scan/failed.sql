-- name: markFailed
-- Marks the verdicts of these inventory groups as failed: the gate blocks them, and only a retry takes them
-- up.
with groups as (
  update governance_candidate_state c
  set recompute_status = 'failed', updated_at = :at::timestamptz
  where c.inventory_key = any (:inventory_keys::text[]) and c.row_state = 'active' and c.recompute_status <> 'failed'
  returning c.row_id
),
objects as (
  update governance_candidate_object o
  set recompute_status = 'failed', updated_at = :at::timestamptz
  where o.inventory_key = any (:inventory_keys::text[]) and o.row_state = 'active' and o.recompute_status <> 'failed'
  returning o.row_id
)
select (select count(*) from groups) + (select count(*) from objects) as marked

-- name: readPlaces
select i.inventory_key, i.source_registry, i.object_class
from governance_inventory i
where i.inventory_key = any (:inventory_keys::text[])
