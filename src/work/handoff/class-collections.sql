-- The collections in which members of each class are found.
select m.object_class, m.collection_name
from gcos_class_map() m
where m.species_code is null
