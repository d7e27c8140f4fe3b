-- name: readDueObjects
-- Objects in the inventory groups :inventory_keys whose rows are dirty, expired at :at, or stamped with rules
-- other than :ruleset_version; birth_id is NULL for members without a birth.
-- nullable: birth_id
select distinct o.birth_id, o.collection_name, o.entity_code
from unnest(:inventory_keys::text[]) as k(inventory_key)
cross join lateral (
  select l.birth_id, l.collection_name, l.entity_code
  from governance_candidate_object l
  where l.inventory_key = k.inventory_key and l.row_state = 'active'
    and (l.dirty or l.recompute_status <> 'ok' or l.stale_after <= :at::timestamptz or l.ruleset_version <> :ruleset_version::text)
  offset 0
) as o

-- name: readNamed
-- The objects among :collections, :codes that are in a collection of the inventory groups :inventory_keys,
-- have a birth and no row.
select o.collection_name, o.entity_code, b.id::bigint as birth_id
from unnest(:collections::text[], :codes::text[]) as o(collection_name, entity_code)
cross join lateral (
  select n.id
  from birth_registry n
  where n.collection_name = o.collection_name and n.entity_code = o.entity_code
  order by n.id
  limit 1
) as b
where o.collection_name in (select i.source_registry from governance_inventory i where i.inventory_key = any (:inventory_keys::text[]))
  and not exists (
    select from governance_candidate_object c
    where c.object_key = gcos_object_key(o.collection_name, o.entity_code) and c.row_state = 'active')

-- name: readUnevaluated
-- The inventory groups among :inventory_keys with a row that requires coverage and has not been evaluated
-- since its last change.
select distinct u.inventory_key
from (
  select c.inventory_key
  from governance_candidate_state c
  where c.inventory_key = any (:inventory_keys::text[]) and c.row_state = 'active' and c.coverage_required
    and coalesce(c.coverage_outcome, 'not_evaluated') = 'not_evaluated'
  union all
  select o.inventory_key
  from governance_candidate_object o
  where o.inventory_key = any (:inventory_keys::text[]) and o.row_state = 'active' and o.coverage_required
    and coalesce(o.coverage_outcome, 'not_evaluated') = 'not_evaluated'
) as u
