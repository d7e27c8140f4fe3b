-- The rows of a page that are older than the horizon, of the collections $5, but for the ids $6.
with n as (
  select {{row}}
  from birth_registry b
  {{row_hash}}
  where ($1::bigint is null or b.id > $1::bigint) and b.id <= $2::bigint and not ({{since_horizon}})
    and b.collection_name = any ($5::text[]) and b.id <> all ($6::bigint[])
)
select n.id, n.collection_name, n.code, n.species_code, n.status, n.born_at, n.h1 * f.h1 as h1, n.h2 * f.h2 as h2
from n
{{name_factor}}
order by n.id
