-- Inventory groups that lack a verdict in one of the scopes $1.
select distinct g.inventory_key
from governance_group g
where g.scope = any ($1::text[]) and not exists (
  select from governance_candidate_state c
  where c.inventory_key = g.inventory_key and c.scope = g.scope and c.row_state in ('active', 'retired'))
