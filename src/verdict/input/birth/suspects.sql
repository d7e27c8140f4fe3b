-- use: ./suspect.sql

-- name: findSuspectIds
-- Births of inheriting classes with a possible input problem, with ids from :first to :last or in the
-- ranges :gap_first to :gap_last, by id. The collections :individual are left out because their births
-- are evaluated one by one. Births that GCOS caused itself are left out too.
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
  and {{keyed}}
order by b.id

-- name: findIds
-- The births with ids from :first to :last that must be judged, at most :limit if it is not null.
-- nullable: :limit
select b.id::bigint as id
from birth_registry b
where b.id >= :first::bigint and b.id <= :last::bigint and {{suspect}} and {{keyed}}
limit :limit::bigint

-- name: findIdsOf
-- The births of the collections :collections.
select b.id::bigint as id
from birth_registry b
where b.collection_name = any (:collections::text[]) and {{keyed}}
