-- The collections of the inventory groups $1.
select distinct i.source_registry as collection_name
from governance_inventory i
where i.inventory_key = any ($1::text[])
