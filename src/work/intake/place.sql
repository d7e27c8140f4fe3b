-- name: placeRows
-- The groups of objects: from their row if they have one, else from the fields of their first birth. Unknown
-- objects are left out.
-- nullable: inventory_key, species_code, status
with k as (
  select u.n, u.collection_name, u.code
  from unnest(:collections::text[], :codes::text[]) with ordinality as u(collection_name, code, n)
),
own as (
  select distinct on (k.n) k.n, c.inventory_key
  from k
  join governance_candidate_object c on c.object_key = gcos_object_key(k.collection_name, k.code) and c.row_state in ('active', 'retired')
  order by k.n, c.row_id
),
born as (
  select distinct on (k.n) k.n, b.species_code::text as species_code, b.status::text as status
  from k
  join birth_registry b on b.collection_name = k.collection_name and b.entity_code = k.code
  where not exists (select from own o where o.n = k.n)
  order by k.n, b.id
)
select k.n, o.inventory_key, b.species_code, b.status
from k
left join own o on o.n = k.n
left join born b on b.n = k.n
where o.n is not null or b.n is not null

-- name: collectionRows
-- The collections that contain members of each class.
select m.object_class, m.collection_name
from gcos_class_map() m
where m.species_code is null
