-- Counts, maxima and sums of hashes of the births from $1 to $2, per collection, species and status. Grouped by the hash of
-- the columns with few values: one integer is a cheaper key than three texts, and its names are those of any of its rows.
with part as (
  select k.h, count(*) as births, max(b.id::bigint) as max_id, max(b.born_at) as max_born_at, sum(r1.h) as h1, sum(r2.h) as h2
  from birth_registry b
  {{row_hash}}
  where b.id >= $1::bigint and b.id <= $2::bigint
  group by k.h
)
select n.collection_name, n.species_code, n.status, sum(p.births)::bigint as births, max(p.max_id) as max_id,
  max(p.max_born_at) as max_born_at, sum(p.h1)::numeric as h1, sum(p.h2)::numeric as h2
from part p
cross join lateral (
  select b.collection_name::text as collection_name, b.species_code::text as species_code, b.status::text as status
  from birth_registry b
  where b.id = p.max_id
  limit 1
) as n
group by n.collection_name, n.species_code, n.status
