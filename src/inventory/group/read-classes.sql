-- The classes that births can have, by collection and species, in the order of the catalogue.
select m.collection_name, m.species_code, m.object_class, m.registry
from gcos_class_map() m
order by m.code collate "C", m.choice
