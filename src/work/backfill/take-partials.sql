-- Takes all partial sums away, with the dimensions of their groups.
with taken as (
  delete from gov_backfill_partial p
  returning p.inventory_key, p.member_count, p.grain_count, p.max_born_at, p.max_id, p.h1, p.h2
)
select t.inventory_key, i.object_class, i.source_registry, i.axis_family, i.lifecycle_status, i.unresolved_reason, i.inherits,
  t.member_count, t.grain_count, t.max_born_at, t.max_id, t.h1, t.h2
from taken t
join governance_inventory i on i.inventory_key = t.inventory_key
