-- The key of birth_registry, added right after its load: the following inserts look births up by it.
alter table birth_registry add primary key (id);
analyze birth_registry;
