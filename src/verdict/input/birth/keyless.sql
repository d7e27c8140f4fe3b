-- use: ../../../inventory/tail/births.sql

-- name: countKeyless
-- The number of births without a key.
select count(*) as births from birth_registry b where {{keyless}}

-- name: sampleKeyless
-- Some births without a key: their id, if they have one, and the columns they lack.
-- nullable: id
select b.id::text as id,
  array_remove(array[case when b.id is null then 'id' end, case when b.collection_name is null then 'collection_name' end,
    case when b.entity_code is null then 'entity_code' end, case when b.born_at is null then 'born_at' end], null) as lacks
from birth_registry b
where {{keyless}}
order by b.id
limit :limit::bigint
