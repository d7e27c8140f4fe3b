-- name: readDetectors
-- nullable: method, comparison, severity
-- nullable: measurement_id, law_code, target_query, source_query
select m.measurement_id::text as measurement_id, m.law_code::text as law_code, m.method::text as method,
  m.source_query::text as source_query, m.target_query::text as target_query, m.comparison::text as comparison,
  m.severity::text as severity
from measurement_registry m
where m.enabled
order by m.measurement_id::text collate "C"

-- name: readProfiles
-- The ttl is written by its three parts (months, days, seconds), independent of the interval style of the
-- session: a month is not 30 days.
-- nullable: ttl, primary_axis_family, required_links
-- nullable: profile_code, class_pattern, risk_class, class_0, inherits
select p.profile_code::text as profile_code, p.class_pattern::text as class_pattern, p.risk_class::text as risk_class,
  case when isfinite(p.ttl) then
    'P' || (extract(year from p.ttl) * 12 + extract(month from p.ttl))::bigint || 'M' || extract(day from p.ttl)::bigint || 'DT'
      || trim_scale(extract(hour from p.ttl) * 3600 + extract(minute from p.ttl) * 60 + extract(second from p.ttl)) || 'S'
    else p.ttl::text end as ttl,
  p.class_0, p.inherits, p.primary_axis_family::text as primary_axis_family, p.required_links::text as required_links
from coverage_profile p
where p.status::text = 'active'
order by p.profile_code::text collate "C"

-- name: readAxes
-- nullable: object_class
-- nullable: axis_code, axis_family
select a.axis_code::text as axis_code, a.axis_family::text as axis_family, a.object_class::text as object_class
from axis_registry a
where a.status::text = 'active'
order by a.axis_code::text collate "C"

-- name: readPivots
-- The dimensions by which each pivot groups objects. Depending on the host, a pivot names a class, a
-- collection or neither, and may have a status.
-- nullable: code, object_class, source_collection
select d.code::text as code, j.fields ->> 'object_class' as object_class, j.fields ->> 'source_collection' as source_collection,
  (case when jsonb_typeof(d.group_spec::jsonb -> 'dims') = 'array' then d.group_spec::jsonb -> 'dims' else '[]' end)::text as dims
from pivot_definitions d
cross join lateral (select to_jsonb(d) as fields offset 0) as j
where coalesce(j.fields ->> 'status', 'active') = 'active'
order by d.code::text collate "C"

-- name: readJurisdictions
-- nullable: law_code, domain, coverage_type
select l.law_code::text as law_code, l.domain::text as domain, l.coverage_type::text as coverage_type
from law_jurisdiction l
order by l.law_code::text collate "C", l.domain::text collate "C", l.coverage_type::text collate "C"

-- name: readScopes
-- nullable: scope_code
select s.scope_code::text as scope_code
from governance_responsibility_scope s
where s.status::text = 'active'
order by s.scope_code::text collate "C"

-- name: readReach
-- nullable: scope, axis_family, source_registry
select r.rule_kind, r.rule_code, r.scope, r.axis_family, r.source_registry
from governance_rule_reach r
order by r.rule_kind collate "C", r.rule_code collate "C", r.scope collate "C", r.axis_family collate "C",
  r.source_registry collate "C"

-- name: readSettings
select s.setting_key, s.setting_value::text as setting_value
from governance_setting s
where s.setting_key = any (:keys::text[])
  or exists (select from unnest(:prefixes::text[]) as prefix where starts_with(s.setting_key, prefix))
order by s.setting_key collate "C"
