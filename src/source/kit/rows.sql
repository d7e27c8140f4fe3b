-- name: readOtherProfiles
-- Profiles for classes of the kit that the kit did not bring: a class has one.
select p.profile_code, p.class_pattern
from coverage_profile p
where p.class_pattern = any (:patterns::text[]) and not starts_with(p.profile_code, :prefix::text)
order by p.profile_code collate "C"

-- name: writeScopes
-- A scope that is there stays as it is, also if it is not active: an operator decided that.
insert into governance_responsibility_scope (scope_code, default_owner_hint)
select s.scope_code, s.default_owner_hint
from jsonb_to_recordset(:scopes::jsonb) as s(scope_code text, default_owner_hint text)
on conflict (scope_code) do nothing
returning scope_code

-- name: writeProfiles
with wanted as materialized (
  select w.profile_code, w.class_pattern, w.risk_class, w.ttl, w.inherits, w.required_links
  from jsonb_to_recordset(:profiles::jsonb)
    as w(profile_code text, class_pattern text, risk_class text, ttl interval, inherits boolean, required_links jsonb)
),
retired as (
  update coverage_profile p set status = 'retired'
  where starts_with(p.profile_code, :prefix::text) and p.status <> 'retired'
    and not exists (select from wanted w where w.profile_code = p.profile_code)
  returning p.profile_code
),
written as (
  insert into coverage_profile as p (profile_code, class_pattern, risk_class, ttl, inherits, required_links)
  select w.profile_code, w.class_pattern, w.risk_class, w.ttl, w.inherits, w.required_links
  from wanted w
  on conflict (profile_code) do update
    set class_pattern = excluded.class_pattern, risk_class = excluded.risk_class, ttl = excluded.ttl,
      inherits = excluded.inherits, required_links = excluded.required_links, status = 'active'
    where (p.class_pattern, p.risk_class, p.ttl, p.inherits, p.required_links, p.status)
      is distinct from (excluded.class_pattern, excluded.risk_class, excluded.ttl, excluded.inherits, excluded.required_links, 'active')
  returning p.profile_code
)
select r.profile_code from retired r
union all
select w.profile_code from written w

-- name: writeDetectors
with wanted as materialized (
  select w.measurement_id, w.measurement_name, w.law_code, w.source_query, w.severity, w.enabled
  from jsonb_to_recordset(:detectors::jsonb)
    as w(measurement_id text, measurement_name text, law_code text, source_query text, severity text, enabled boolean)
),
retired as (
  update measurement_registry m set enabled = false
  where starts_with(m.measurement_id, :prefix::text) and m.enabled
    and not exists (select from wanted w where w.measurement_id = m.measurement_id)
  returning m.measurement_id
),
written as (
  insert into measurement_registry as m (
    measurement_id, measurement_name, law_code, method, source_query, target_query, comparison, severity, enabled)
  select w.measurement_id, w.measurement_name, w.law_code, 1, w.source_query, 'select 0', 'strict_equals', w.severity, w.enabled
  from wanted w
  on conflict (measurement_id) do update
    set measurement_name = excluded.measurement_name, law_code = excluded.law_code, source_query = excluded.source_query,
      target_query = excluded.target_query, comparison = excluded.comparison, severity = excluded.severity, enabled = excluded.enabled
    where (m.measurement_name, m.law_code, m.source_query, m.target_query, m.comparison, m.severity, m.enabled)
      is distinct from (excluded.measurement_name, excluded.law_code, excluded.source_query, excluded.target_query,
        excluded.comparison, excluded.severity, excluded.enabled)
  returning m.measurement_id
)
select r.measurement_id from retired r
union all
select w.measurement_id from written w
