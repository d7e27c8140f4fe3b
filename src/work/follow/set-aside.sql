-- name: readKeys
-- The keys of births :ids, for what is written down about those that failed.
select b.id::bigint as id, b.collection_name::text as collection_name, left(b.entity_code::text, 200) as entity_code
from birth_registry b
where b.id = any (:ids::bigint[])
