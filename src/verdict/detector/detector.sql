-- name: readRows
-- The enabled detectors.
-- nullable: severity
select m.measurement_id::text as measurement_id, m.law_code::text as law_code, m.source_query::text as source_query,
  m.target_query::text as target_query, coalesce(m.comparison::text, 'strict_equals') as comparison, m.severity::text as severity
from measurement_registry m
where m.enabled
order by m.measurement_id::text collate "C"

-- name: readFormer
-- Detectors that have a finding of the types :types and are not in :enabled: disabled or deleted.
select distinct k.subject
from governance_finding_key k
where k.finding_type = any (:types::text[]) and not k.is_summary and k.subject <> all (:enabled::text[])
