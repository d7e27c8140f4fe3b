-- use: ./suspect.sql

-- name: findSuspectIds
-- Births of classes that inherit against which something may be said, of ids :first to :last and of the
-- ranges :gap_first to :gap_last, by id. Those of the collections :individual are looked at one by one
-- anyway; those GCOS caused itself are nobody's.
-- nullable: :first, :last
with part as (
  select b.id, b.collection_name, b.entity_code, b.born_at, b.species_code, b.status, b.governance_role, b.dot_origin
  from birth_registry b
  where b.id >= :first::bigint and b.id <= :last::bigint
  union all
  select a.id, a.collection_name, a.entity_code, a.born_at, a.species_code, a.status, a.governance_role, a.dot_origin
  from unnest(:gap_first::bigint[], :gap_last::bigint[]) as g(first_id, last_id)
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
where b.collection_name <> all (:individual::text[]) and not ({{own_birth}}) and ({{suspect}} or {{unvouched}})
order by b.id

-- name: findAllIds
-- The births of the whole table that are to be looked at, at most :limit, by id: one pass, in parallel,
-- instead of a look into every page.
select b.id::bigint as id
from birth_registry b
where {{suspect}}
limit :limit::bigint
