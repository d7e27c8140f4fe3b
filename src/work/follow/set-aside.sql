-- name: readKeys
-- The keys of the births :ids, for the record of their failure.
select b.id::bigint as id, b.collection_name::text as collection_name, left(b.entity_code::text, 200) as entity_code
from birth_registry b
where b.id = any (:ids::bigint[])
