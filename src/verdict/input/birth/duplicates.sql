-- use: ../../../inventory/tail/births.sql

-- name: findShared
-- Hashes shared by more than one birth. The sort key is the hash alone: with the id beside it the sort
-- takes 1.5 times as long.
select h.key_hash
from (
  select hashtextextended(b.entity_code::text collate "C", hashtextextended(b.collection_name::text collate "C", 0)) as key_hash
  from birth_registry b
  where {{keyed}}
  offset 0
) as h
group by h.key_hash
having count(*) > 1

-- name: readKeys
-- Keys that have one of the hashes :hashes and more than one birth.
select b.collection_name::text as collection_name, b.entity_code::text as entity_code
from birth_registry b
where hashtextextended(b.entity_code::text collate "C", hashtextextended(b.collection_name::text collate "C", 0)) = any (:hashes::bigint[])
  and {{keyed}}
group by b.collection_name, b.entity_code
having count(*) > 1
