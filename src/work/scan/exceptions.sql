-- name: readExceptionSubjects
-- The subjects of the exceptions :codes: a group with its class and registry, else what the exception names.
-- nullable: link, code, collection_name, object_class, inventory_key
select e.exception_code, e.subject_kind, e.link, e.entity_code as code, coalesce(e.collection_name, i.source_registry) as collection_name,
  coalesce(e.object_class, i.object_class, m.object_class) as object_class, e.inventory_key
from governance_exception e
left join governance_inventory i on i.inventory_key = e.inventory_key
left join gcos_class_map() m on m.collection_name = e.collection_name and m.species_code is null
where e.exception_code = any (:codes::text[])
