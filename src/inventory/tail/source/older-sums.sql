-- Sums of the rows of a page that are older than the horizon, but for the collections $5, whose rows are looked at one by one,
-- and the ids $6.
with n as (
  select b.collection_name::text as collection_name, b.species_code::text as species_code, b.status::text as status,
    count(*) as births, max(b.id)::bigint as max_id, max(b.born_at) as max_born_at, sum(r.h1) as h1, sum(r.h2) as h2
  from birth_registry b
  {{row_hash}}
  where ($1::bigint is null or b.id > $1::bigint) and b.id <= $2::bigint and not ({{since_horizon}})
    and b.collection_name <> all ($5::text[]) and b.id <> all ($6::bigint[])
  group by b.collection_name, b.species_code, b.status
)
select n.collection_name, n.species_code, n.status, n.births, n.max_id, n.max_born_at, n.h1 * f.h1 as h1, n.h2 * f.h2 as h2
from n
{{name_factor}}
