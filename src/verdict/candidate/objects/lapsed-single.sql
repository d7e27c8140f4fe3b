-- Objects with a row because they count one by one, of a class whose members now answer through their container; not those ($2, $3)
-- that something shared refers to.
select distinct o.collection_name, o.entity_code
from governance_candidate_object o
join governance_inventory i on i.inventory_key = o.inventory_key
where o.row_state = 'active' and 'independent' = any (o.reasons)
  and (o.collection_name <> all ($1::text[]) or i.inherits)
  and o.object_key not in (
    select gcos_object_key(k.collection_name, k.code) from unnest($2::text[], $3::text[]) as k(collection_name, code))
