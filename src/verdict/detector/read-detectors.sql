-- The detectors that are enabled.
select m.measurement_id::text as measurement_id, m.law_code::text as law_code, m.source_query::text as source_query,
  m.target_query::text as target_query, coalesce(m.comparison::text, 'strict_equals') as comparison, m.severity::text as severity
from measurement_registry m
where m.enabled
order by m.measurement_id::text collate "C"
