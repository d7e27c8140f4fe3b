-- One birth of each of the collections $1, to make more like it, and the last number that earlier traffic with the prefix $2 gave.
with given as (
  select b.entity_code as code from birth_registry b where starts_with(b.entity_code, $2::text)
  union all
  -- What was born last may be gone again.
  select c.entity_code from registry_changelog c where c.changed_by = 'demo_traffic' and starts_with(c.entity_code, $2::text)
)
select c.collection_name, p.species_code, p.composition_level, p.dot_origin, p.governance_role,
  (select coalesce(max(substr(g.code, length($2::text) + 1)::bigint), 0)
   from given g where substr(g.code, length($2::text) + 1) ~ '^[0-9]{1,15}$') as earlier
from unnest($1::text[]) as c(collection_name)
cross join lateral (
  select b.species_code, b.composition_level, b.dot_origin, b.governance_role
  from birth_registry b
  where b.collection_name = c.collection_name and b.species_code is not null
  order by b.id
  limit 1
) as p
order by c.collection_name
