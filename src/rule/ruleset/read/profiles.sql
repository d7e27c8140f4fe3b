-- How long a verdict holds is written out by its three parts, whatever the session's interval style: a month is not 30 days.
select p.profile_code::text as profile_code, p.class_pattern::text as class_pattern, p.risk_class::text as risk_class,
  case when isfinite(p.ttl) then
    'P' || (extract(year from p.ttl) * 12 + extract(month from p.ttl))::bigint || 'M' || extract(day from p.ttl)::bigint || 'DT'
      || trim_scale(extract(hour from p.ttl) * 3600 + extract(minute from p.ttl) * 60 + extract(second from p.ttl)) || 'S'
    else p.ttl::text end as ttl,
  p.class_0, p.inherits, p.primary_axis_family::text as primary_axis_family, p.required_links::text as required_links
from coverage_profile p
where p.status::text = 'active'
order by p.profile_code::text collate "C"
