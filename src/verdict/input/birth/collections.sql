-- The collections that have births, by class.
select distinct i.source_registry as collection_name, i.object_class
from governance_inventory i
