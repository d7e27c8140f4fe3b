-- Every group must be computed anew: where the rows in question were counted before cannot be known.
with own as (
  select i.inventory_key from governance_inventory i
  where not i.recompute_needed
  order by i.inventory_key collate "C"
  for no key update
)
update governance_inventory i
set recompute_needed = true
from own o
where i.inventory_key = o.inventory_key
returning i.inventory_key
