-- All inventory groups with their dimensions.
select i.inventory_key, i.object_class, i.source_registry, i.axis_family, i.lifecycle_status, i.unresolved_reason, i.inherits,
  i.member_count
from governance_inventory i
order by i.inventory_key collate "C"
