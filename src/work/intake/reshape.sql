-- name: cleanKeys
-- Inventory groups without a dirty verdict.
select i.inventory_key
from governance_inventory i
where not exists (
  select from governance_candidate_state c
  where c.inventory_key = i.inventory_key and c.row_state in ('active', 'retired') and c.dirty)

-- name: rowlessKeys
-- Inventory groups without a verdict in one of the scopes :scopes.
select distinct g.inventory_key
from governance_group g
where g.scope = any (:scopes::text[]) and not exists (
  select from governance_candidate_state c
  where c.inventory_key = g.inventory_key and c.scope = g.scope and c.row_state in ('active', 'retired'))
