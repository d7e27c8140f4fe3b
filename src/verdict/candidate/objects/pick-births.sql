-- The births of a part of the inventory that have a row of their own: those of the collections $1 whose objects are looked at one
-- by one, and malformed ones of any collection. One line per key, the lowest id; with the status of the member in its registry
-- and whether the registry lists it at all. `births` counts those of the key that are in this part.
with picked as materialized (
  select b.id::bigint as id, b.collection_name::text as collection_name, b.entity_code::text as entity_code,
    b.species_code::text as species_code, b.status::text as status, f.malformed
  from {{births}}
  cross join lateral (
    select b.entity_code = '' or octet_length(b.entity_code) > $2::int4 and length(b.entity_code) > $2::int4
      or b.entity_code::text collate "C" ~ '[\u0001-\u001f\u007f-\u009f]'
      or b.born_at < $3::timestamptz or b.born_at > $4::timestamptz + make_interval(secs => $5::int4) as malformed
  ) as f
  where {{where}}
),
member (collection_name, code, status) as (
  {{members}}
)
select distinct on (p.collection_name collate "C", p.entity_code collate "C")
  p.id, p.collection_name, p.entity_code, p.species_code, p.status, p.malformed, m.status as member_status,
  m.code is not null as listed,
  count(*) over (partition by p.collection_name collate "C", p.entity_code collate "C") as births
from picked p
left join member m on m.collection_name = p.collection_name and m.code = p.entity_code
order by p.collection_name collate "C", p.entity_code collate "C", p.id
