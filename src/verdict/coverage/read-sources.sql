-- The inventory groups looked at ($1 null: all), and about how many units each has in a scope; many, where nobody has counted.
select i.inventory_key, i.source_registry, i.object_class, case when i.inherits then 1 else coalesce(i.grain_count, i.member_count, 1000) end::bigint as units
from governance_inventory i
where $1::text[] is null or i.inventory_key = any ($1::text[])
