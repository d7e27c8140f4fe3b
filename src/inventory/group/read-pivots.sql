-- The first family by which a pivot groups each class, by code. Hosts differ in whether a pivot names a class or a
-- collection, or neither, so both are looked up by name.
select c.object_class, p.axis_family
from (
  select u.object_class, array_agg(u.collection_name) as collections
  from unnest($1::text[], $2::text[]) as u(object_class, collection_name)
  group by u.object_class
) as c
cross join lateral (
  select d.group_spec::jsonb -> 'dims' ->> 0 as axis_family
  from pivot_definitions d
  cross join lateral (select to_jsonb(d) as fields) as j
  where coalesce(j.fields ->> 'status', 'active') = 'active'
    and case
      when j.fields ->> 'object_class' is not null then j.fields ->> 'object_class' = c.object_class
      else j.fields ->> 'source_collection' = any (c.collections)
    end
    and nullif(d.group_spec::jsonb -> 'dims' ->> 0, '') is not null
  order by d.code::text collate "C"
  limit 1
) as p
