-- The inventory group that a key names: its own, or that of one of its groups.
select i.inventory_key
from governance_inventory i
where i.inventory_key = $1::text
union
select g.inventory_key
from governance_group g
where g.group_key = $1::text
limit 1
