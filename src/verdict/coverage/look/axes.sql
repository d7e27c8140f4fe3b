-- Families of axes that pivots or groups use and no axis in force declares.
with used as (
  select d.dim as family, 'pivot/' || p.code::text as used_by
  from pivot_definitions p
  cross join lateral (select to_jsonb(p) as fields offset 0) as j
  cross join lateral jsonb_array_elements_text(
    case when jsonb_typeof(p.group_spec::jsonb -> 'dims') = 'array' then p.group_spec::jsonb -> 'dims' else '[]' end) as d(dim)
  where coalesce(j.fields ->> 'status', 'active') = 'active'
  union all
  select i.axis_family, 'class/' || i.object_class
  from governance_inventory i
  where coalesce(i.member_count, 1) > 0
)
select u.family, array_agg(distinct u.used_by order by u.used_by) as used_by
from used u
where nullif(u.family, '') is not null and u.family not in ({{declared}})
group by u.family
order by u.family
