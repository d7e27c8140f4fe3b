-- Keys with more than one birth. The whole table is grouped by a hash of the key, which is narrow; only what shares a hash is
-- looked at again, and compared as it is.
with hashed as materialized (
  select h.key_hash
  from (
    select hashtextextended(b.entity_code::text collate "C", hashtextextended(b.collection_name::text collate "C", 0)) as key_hash
    from birth_registry b
    offset 0
  ) as h
  group by h.key_hash
  having count(*) > 1
)
select b.collection_name::text as collection_name, b.entity_code::text as entity_code, count(*) as births
from birth_registry b
where hashtextextended(b.entity_code::text collate "C", hashtextextended(b.collection_name::text collate "C", 0))
  in (select h.key_hash from hashed h)
group by b.collection_name, b.entity_code
having count(*) > 1
