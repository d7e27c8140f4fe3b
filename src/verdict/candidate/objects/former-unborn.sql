-- Objects that were waiting for their birth and are no longer among those who do ($1, $2): born since, or gone from the registry.
with former as materialized (
  select distinct o.collection_name, o.entity_code
  from governance_candidate_object o
  where o.birth_id is null and o.row_state = 'active'
    and o.object_key not in (
      select gcos_object_key(k.collection_name, k.code) from unnest($1::text[], $2::text[]) as k(collection_name, code))
),
born as (
  select distinct f.collection_name, f.entity_code
  from former f
  join birth_registry b on b.collection_name = f.collection_name and b.entity_code = f.entity_code
)
select f.collection_name, f.entity_code, b.entity_code is not null as born
from former f
left join born b on b.collection_name = f.collection_name and b.entity_code = f.entity_code
