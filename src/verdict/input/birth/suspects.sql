-- Births of classes that inherit against which something may be said, of ids $9 to $10 and of the ranges $11 to $12, by id. Those
-- of the collections $1 are looked at one by one anyway; those GCOS caused itself are nobody's.
with part as (
  select b.id, b.collection_name, b.entity_code, b.born_at, b.species_code, b.status, b.governance_role, b.dot_origin
  from birth_registry b
  where b.id >= $9::bigint and b.id <= $10::bigint
  union all
  select a.id, a.collection_name, a.entity_code, a.born_at, a.species_code, a.status, a.governance_role, a.dot_origin
  from unnest($11::bigint[], $12::bigint[]) as g(first_id, last_id)
  cross join lateral (
    select b.id, b.collection_name, b.entity_code, b.born_at, b.species_code, b.status, b.governance_role, b.dot_origin
    from birth_registry b
    where b.id >= g.first_id and b.id <= g.last_id
    order by b.id
    limit 2147483647
  ) as a
)
select b.id::bigint as id
from part b
where b.collection_name <> all ($1::text[]) and not ({{own_birth}}) and ({{suspect}} or {{unvouched}})
order by b.id
