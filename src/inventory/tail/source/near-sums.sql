-- What the births a near round takes in add up to, but for the collections $6, whose rows are looked at one by one. Births that
-- GCOS caused itself are among them, and told.
with n as (
  select b.collection_name::text as collection_name, b.species_code::text as species_code, b.status::text as status,
    count(*) as births, count(*) filter (where {{own_birth}}) as own, max(b.id)::bigint as max_id, max(b.born_at) as max_born_at,
    sum(r.h1) as h1, sum(r.h2) as h2
  from (
    {{near_births}}
  ) as b
  {{row_hash}}
  where b.collection_name <> all ($6::text[])
  group by b.collection_name, b.species_code, b.status
)
select n.collection_name, n.species_code, n.status, n.births, n.own, n.max_id, n.max_born_at, n.h1 * f.h1 as h1, n.h2 * f.h2 as h2
from n
{{name_factor}}
