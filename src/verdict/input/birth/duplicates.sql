-- name: findShared
-- Hashes that more than one birth has. Nothing but the hash is sorted: with the id beside it, it takes half
-- as long again.
select h.key_hash
from (
  select hashtextextended(b.entity_code::text collate "C", hashtextextended(b.collection_name::text collate "C", 0)) as key_hash
  from birth_registry b
  offset 0
) as h
group by h.key_hash
having count(*) > 1

-- name: readKeys
-- Keys with one of the hashes :hashes and more than one birth.
select b.collection_name::text as collection_name, b.entity_code::text as entity_code
from birth_registry b
where hashtextextended(b.entity_code::text collate "C", hashtextextended(b.collection_name::text collate "C", 0)) = any (:hashes::bigint[])
group by b.collection_name, b.entity_code
having count(*) > 1
