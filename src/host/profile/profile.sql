-- name: findTable
-- Whether the profile table exists, has all columns and is readable.
-- nullable: usable
select count(a.attname) = cardinality(t.columns) and bool_and(has_table_privilege(to_regclass('coverage_profile'), 'select')) as usable
from (
  values (array['profile_code', 'class_pattern', 'risk_class', 'ttl', 'class_0', 'inherits', 'primary_axis_family',
    'required_links', 'status'])
) as t(columns)
left join pg_attribute a
  on a.attrelid = to_regclass('coverage_profile') and a.attname = any (t.columns) and a.attnum > 0 and not a.attisdropped
group by t.columns

-- name: resolveRows
-- The profile of each class: an exact name wins, then the longest matching pattern, then the lowest code. A
-- backslash is literal (`escape ''`), because a pattern that ends in one would otherwise raise an error for
-- all classes.
-- nullable: ttl, ttl_seconds, primary_axis_family
select c.object_class, p.profile_code, p.class_pattern, p.risk_class, p.ttl, p.ttl_seconds, p.class_0, p.inherits,
  p.primary_axis_family, p.required_links
from unnest(:classes::text[]) with ordinality as c(object_class, ordinal)
cross join lateral (
  select f.profile_code::text as profile_code, f.class_pattern::text as class_pattern, f.risk_class::text as risk_class,
    f.ttl, case when isfinite(f.ttl) then extract(epoch from f.ttl)::bigint end as ttl_seconds, coalesce(f.class_0, false) as class_0,
    coalesce(f.inherits, false) as inherits, nullif(f.primary_axis_family::text, '') as primary_axis_family,
    coalesce(f.required_links::jsonb, '{}') as required_links
  from coverage_profile f
  where f.status = 'active' and (f.class_pattern = c.object_class or c.object_class like f.class_pattern escape '')
  order by f.class_pattern = c.object_class desc, length(f.class_pattern) desc, f.profile_code::text collate "C"
  limit 1
) as p
order by c.ordinal
