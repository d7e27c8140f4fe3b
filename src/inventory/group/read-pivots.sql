-- The first family by which a pivot groups each class, by code. Hosts differ in whether a pivot names a class or a
-- collection, or neither, so both are looked up by name.
with pivot as materialized (
  select d.code::text as code, d.group_spec::jsonb -> 'dims' ->> 0 as axis_family, j.fields ->> 'object_class' as object_class,
    j.fields ->> 'source_collection' as source_collection
  from pivot_definitions d
  cross join lateral (select to_jsonb(d) as fields offset 0) as j
  where coalesce(j.fields ->> 'status', 'active') = 'active' and nullif(d.group_spec::jsonb -> 'dims' ->> 0, '') is not null
),
class as (
  select u.object_class, u.collection_name
  from unnest($1::text[], $2::text[]) as u(object_class, collection_name)
)
select distinct on (c.object_class) c.object_class, p.axis_family
from class c
join pivot p on p.object_class = c.object_class or (p.object_class is null and p.source_collection = c.collection_name)
order by c.object_class, p.code collate "C"
