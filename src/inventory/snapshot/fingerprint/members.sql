-- The same for the collections $3 whose objects are looked at one by one: per status of the member in its registry, where it
-- has one, and with the keys first seen here, so that a second birth of a key weighs nothing. Keys travel as hashes.
with member (collection_name, code, status) as (
  {{members}}
),
birth as (
  select b.collection_name::text as collection_name, b.species_code::text as species_code, b.status::text as status,
    m.status as member_status, b.id::bigint as id, b.born_at, r.h1, r.h2,
    row_number() over (partition by b.collection_name, b.entity_code order by b.id) = 1 as is_first,
    hashtextextended(b.entity_code::text collate "C", 1) as key_hash
  from birth_registry b
  {{row_hash}}
  left join member m on m.collection_name = b.collection_name::text and m.code = b.entity_code::text
  where b.id >= $1::bigint and b.id <= $2::bigint and b.collection_name = any ($3::text[])
),
n as (
  select collection_name, species_code, status, member_status, count(*) as births, max(id) as max_id,
    max(born_at) as max_born_at, sum(h1) as h1, sum(h2) as h2,
    coalesce(array_agg(key_hash) filter (where is_first), '{}') as keys
  from birth
  group by collection_name, species_code, status, member_status
)
select n.collection_name, n.species_code, n.status, n.member_status, n.births, n.max_id, n.max_born_at,
  n.h1 * f.h1 as h1, n.h2 * f.h2 as h2, n.keys
from n
{{name_factor}}
