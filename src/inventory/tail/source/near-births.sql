-- The births from $1 to $2, above all that was seen, and those of the ranges $3 to $4, in gaps. Bounds are parameters, and the
-- limit, $5, is above what there can be: both keep the planner on the primary key.
select b.id, b.collection_name, b.entity_code, b.species_code, b.status, b.governance_role, b.certified, b.born_at,
  age(b.xmin) as row_age
from birth_registry b
where b.id >= $1::bigint and b.id <= $2::bigint
union all
select a.id, a.collection_name, a.entity_code, a.species_code, a.status, a.governance_role, a.certified, a.born_at, a.row_age
from unnest($3::bigint[], $4::bigint[]) as g(first_id, last_id)
cross join lateral (
  select b.id, b.collection_name, b.entity_code, b.species_code, b.status, b.governance_role, b.certified, b.born_at,
    age(b.xmin) as row_age
  from birth_registry b
  where b.id >= g.first_id and b.id <= g.last_id
  order by b.id
  limit $5::bigint
) as a
