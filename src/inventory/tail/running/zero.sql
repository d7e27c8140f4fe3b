-- All groups as if nothing had been born: where a sweep begins.
with own as (
  select i.inventory_key from governance_inventory i order by i.inventory_key collate "C" for no key update
)
update governance_inventory i
set member_count = 0, grain_count = 0, max_born_at = null, max_id = null, h1 = 0, h2 = 0, recompute_needed = false
from own o
where i.inventory_key = o.inventory_key
returning i.inventory_key
