-- The newest birth by key, to see whether a write makes the host give birth.
select coalesce(max(id), 0)::int8 as id from birth_registry
