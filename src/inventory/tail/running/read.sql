select i.inventory_key, i.object_class, i.source_registry, i.axis_family, i.lifecycle_status, i.member_count, i.grain_count,
  i.max_born_at, i.max_id, i.h1, i.h2, i.recompute_needed
from governance_inventory i
order by i.inventory_key collate "C"
