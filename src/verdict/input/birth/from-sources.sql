-- The keys of births from these sources: collection, and origin or none.
select distinct b.collection_name::text as collection_name, b.entity_code::text as entity_code
from birth_registry b
join unnest($1::text[], $2::text[]) as s(collection_name, origin)
  on b.collection_name = s.collection_name and b.dot_origin::text is not distinct from s.origin
