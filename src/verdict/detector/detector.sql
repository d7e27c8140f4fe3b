-- name: readFormer
-- Detectors that have a finding of the types :types and are not in :enabled: disabled or deleted.
select distinct k.subject
from governance_finding_key k
where k.finding_type = any (:types::text[]) and not k.is_summary and k.subject <> all (:enabled::text[])
