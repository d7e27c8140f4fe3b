-- name: resolveRows
-- The profile of each class among the profiles of a ruleset: an exact name wins, then the longest matching
-- pattern, then the lowest code. A backslash is literal (`escape ''`), because a pattern that ends in one
-- would otherwise raise an error for all classes.
-- nullable: ttl, ttl_seconds, primary_axis_family
select c.object_class, p.profile_code, p.class_pattern, p.risk_class, p.ttl, p.ttl_seconds, p.class_0, p.inherits,
  p.primary_axis_family, p.required_links
from unnest(:classes::text[]) with ordinality as c(object_class, ordinal)
cross join lateral (
  select f.profile_code, f.class_pattern, f.risk_class, f.ttl::interval as ttl,
    case when isfinite(f.ttl::interval) then extract(epoch from f.ttl::interval)::bigint end as ttl_seconds,
    coalesce(f.class_0, false) as class_0, coalesce(f.inherits, false) as inherits,
    nullif(f.primary_axis_family, '') as primary_axis_family, coalesce(f.required_links, '{}') as required_links
  from jsonb_to_recordset(:profiles::jsonb) as f(profile_code text, class_pattern text, risk_class text, ttl text, class_0 boolean,
    inherits boolean, primary_axis_family text, required_links jsonb)
  where f.class_pattern = c.object_class or c.object_class like f.class_pattern escape ''
  order by f.class_pattern = c.object_class desc, length(f.class_pattern) desc, f.profile_code collate "C"
  limit 1
) as p
order by c.ordinal
