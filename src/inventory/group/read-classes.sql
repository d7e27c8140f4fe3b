-- The classes of the catalogue with the collection each is found in, in the order in which they are preferred. A row that names
-- no class resolves nothing.
select m.code::text as code, m.entity_type::text as object_class,
  coalesce(nullif(m.registry_collection::text, ''), m.collection_name::text) as collection_name,
  nullif(m.registry_collection::text, '') as registry, m.species_code::text as species_code
from meta_catalog m
where coalesce(nullif(m.registry_collection::text, ''), m.collection_name::text) is not null
  and m.entity_type::text <> ''
order by m.code::text collate "C"
