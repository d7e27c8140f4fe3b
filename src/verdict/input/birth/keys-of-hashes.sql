-- Keys with one of the hashes $1 and more than one birth.
select b.collection_name::text as collection_name, b.entity_code::text as entity_code
from birth_registry b
where hashtextextended(b.entity_code::text collate "C", hashtextextended(b.collection_name::text collate "C", 0)) = any ($1::bigint[])
group by b.collection_name, b.entity_code
having count(*) > 1
