-- name: readBirthParts
-- The partitions and inheritance children of birth_registry, at every level, and their kind.
with recursive part (oid) as (
  select i.inhrelid from pg_inherits i where i.inhparent = to_regclass(format('%I.birth_registry', :schema::text))
  union
  select i.inhrelid from pg_inherits i join part p on p.oid = i.inhparent
)
select p.oid::regclass::text as name, c.relkind::text as kind, c.relispartition as is_partition
from part p
join pg_class c on c.oid = p.oid
order by name

-- name: readOptionalKeys
-- The key columns of birth_registry that may be NULL.
select a.attname::text as name
from pg_attribute a
where a.attrelid = to_regclass(format('%I.birth_registry', :schema::text))
  and a.attname in ('id', 'collection_name', 'entity_code', 'born_at') and not a.attnotnull
order by a.attnum
