-- The births of one key, and the status of the member in its registry.
with member (collection_name, code, status) as (
  {{members}}
)
select b.id::bigint as id, b.species_code::text as species_code, b.status::text as status, b.born_at, m.status as member_status,
  m.code is not null as listed
from birth_registry b
left join member m on m.collection_name = b.collection_name::text and m.code = b.entity_code::text
where b.collection_name = $1::text and b.entity_code = $2::text
order by b.id
