-- Objects with a row because they count one by one, of a class whose members now answer through their container; not those ($2, $3)
-- that something shared refers to. By inventory groups first: there are few of them, and fewer whose objects could be concerned.
with container as materialized (
  select i.inventory_key
  from governance_inventory i
  where i.inherits or i.source_registry <> all ($1::text[])
),
shared as materialized (
  select gcos_object_key(k.collection_name, k.code) as object_key
  from unnest($2::text[], $3::text[]) as k(collection_name, code)
)
select distinct o.collection_name, o.entity_code
from container c
cross join lateral (
  select l.collection_name, l.entity_code, l.object_key, l.row_state, l.reasons
  from governance_candidate_object l
  where l.inventory_key = c.inventory_key
  -- Kept apart from the rest: one look into one index per container, whatever the statistics say.
  offset 0
) as o
where o.row_state = 'active' and 'independent' = any (o.reasons)
  and not exists (select from shared s where s.object_key = o.object_key)
