-- Of births $1 to $2 in the collections $3: the keys whose first birth is here. A key that was born before does not count
-- again, wherever its first birth is; so no range needs to know of another.
with member (collection_name, code, status) as (
  {{members}}
)
select b.collection_name::text as collection_name, b.species_code::text as species_code, b.status::text as status,
  m.status as member_status, count(*) as units, sum(hashtextextended(b.entity_code::text collate "C", 0)) as keys
from birth_registry b
left join member m on m.collection_name = b.collection_name::text and m.code = b.entity_code::text
where b.id between $1::bigint and $2::bigint
  and b.collection_name = any ($3::text[])
  and not exists (
    select from birth_registry e
    where e.collection_name = any ($3::text[])
      and e.collection_name = b.collection_name and e.entity_code = b.entity_code and e.id < b.id)
group by b.collection_name, b.species_code, b.status, m.status
