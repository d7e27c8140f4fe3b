-- The births a near round takes in that are of the collections $6, lowest ids first, at most $8 of them; $7 is what ages are
-- counted from.
with n as (
  select b.id::bigint as id, b.collection_name::text as collection_name, b.entity_code::text as code,
    b.species_code::text as species_code, b.status::text as status, b.born_at, b.row_age, r.h1, r.h2
  from (
    {{near_births}}
  ) as b
  {{row_hash}}
  where b.collection_name = any ($6::text[])
)
select n.id, n.collection_name, n.code, n.species_code, n.status, n.born_at, $7::bigint - n.row_age as xid, n.h1 * f.h1 as h1,
  n.h2 * f.h2 as h2
from n
{{name_factor}}
order by n.id
limit $8::bigint
