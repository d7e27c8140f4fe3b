-- name: cleanKeys
-- Inventory groups without a dirty verdict.
select i.inventory_key
from governance_inventory i
where not exists (
  select from governance_candidate_state c
  where c.inventory_key = i.inventory_key and c.row_state in ('active', 'retired') and c.dirty)

-- name: coveredKeys
-- Inventory groups with a unit whose coverage was evaluated.
select c.inventory_key from governance_candidate_state c where c.row_state in ('active', 'retired') and c.coverage_scan_ref is not null
union
select o.inventory_key from governance_candidate_object o where o.row_state in ('active', 'retired') and o.coverage_scan_ref is not null

-- name: rowlessKeys
-- Inventory groups without a verdict in one of the scopes :scopes.
select distinct g.inventory_key
from governance_group g
where g.scope = any (:scopes::text[]) and not exists (
  select from governance_candidate_state c
  where c.inventory_key = g.inventory_key and c.scope = g.scope and c.row_state in ('active', 'retired'))
