-- The key of birth_registry, as soon as it is loaded: the following inserts look births up by it.
alter table birth_registry add primary key (id);
analyze birth_registry;
