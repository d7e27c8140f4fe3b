select i.inventory_key, i.object_class, i.source_registry
from governance_inventory i
where i.inventory_key = any ($1::text[])
