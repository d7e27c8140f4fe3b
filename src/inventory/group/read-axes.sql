-- The first axis family of each class, by code: its own axes before those for any class.
select c.object_class, a.axis_family
from unnest($1::text[]) as c(object_class)
cross join lateral (
  select r.axis_family::text as axis_family
  from axis_registry r
  where r.status = 'active' and (r.object_class = c.object_class or r.object_class is null)
    and r.axis_family::text <> ''
  order by r.object_class is null, r.axis_code::text collate "C"
  limit 1
) as a
