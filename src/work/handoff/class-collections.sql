-- The collections in which members of each class are found.
select m.entity_type::text as object_class, coalesce(nullif(m.registry_collection::text, ''), m.collection_name::text) as collection_name
from meta_catalog m
where coalesce(nullif(m.registry_collection::text, ''), m.collection_name::text) is not null and m.entity_type::text <> ''
