-- name: readReportedTypes
select distinct k.subject
from governance_finding_key k
where k.finding_type = any (:types::text[]) and k.scope is null
