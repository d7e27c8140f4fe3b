-- Inventory groups none of whose verdicts waits to be looked at again.
select i.inventory_key
from governance_inventory i
where not exists (
  select from governance_candidate_state c
  where c.inventory_key = i.inventory_key and c.row_state in ('active', 'retired') and c.dirty)
