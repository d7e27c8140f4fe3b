-- use: ../../../inventory/snapshot/fingerprint/row.sql

-- name: readBounds
-- nullable: first_id, last_id
select min(b.id)::bigint as first_id, max(b.id)::bigint as last_id from birth_registry b

-- name: countContainers
-- The groups of births :first to :last. A container with members counts once, however many members it
-- has.
-- nullable: species_code, status
select b.collection_name::text as collection_name, b.species_code::text as species_code, b.status::text as status,
  count(*) as births
from birth_registry b
where b.id between :first::bigint and :last::bigint and {{keyed}}
group by b.collection_name, b.species_code, b.status

-- name: countKeys
-- The keys whose first birth is among the births :first to :last of the collections :collections. A key
-- with an earlier birth does not count, even if that birth is in another range, so the ranges are
-- independent.
-- nullable: species_code, status, member_status
-- part members: select null::text, null::text, null::text where false
with member (collection_name, code, status) as (
  {{members}}
)
select b.collection_name::text as collection_name, b.species_code::text as species_code, b.status::text as status,
  m.status as member_status, count(*) as units, sum(hashtextextended(b.entity_code::text collate "C", 0)) as keys
from birth_registry b
left join member m on m.collection_name = b.collection_name::text and m.code = b.entity_code::text
where b.id between :first::bigint and :last::bigint and {{keyed}}
  and b.collection_name = any (:collections::text[])
  and not exists (
    select from birth_registry e
    where e.collection_name = any (:collections::text[])
      and e.collection_name = b.collection_name and e.entity_code = b.entity_code and e.id < b.id)
group by b.collection_name, b.species_code, b.status, m.status

-- name: countKeyless
-- Births without a key. They are in no group.
select count(*) as births from birth_registry b where {{keyless}}

-- name: countUnborn
-- Members that the registries :registries list and that have no birth.
-- nullable: member_status
-- part members: select null::text, null::text, null::text where false
with member (collection_name, code, status) as (
  {{members}}
)
select m.collection_name, m.status as member_status, count(*) as units,
  sum(hashtextextended(m.code collate "C", 0)) as keys
from member m
where m.code is not null and m.collection_name = any (:registries::text[])
  and not exists (
    select from birth_registry b
    where b.collection_name = any (:registries::text[]) and b.collection_name = m.collection_name and b.entity_code = m.code)
group by m.collection_name, m.status
