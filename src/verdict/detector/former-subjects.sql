-- Detectors that findings of the types $1 are about and that are no longer among $2: disabled, or gone.
select distinct k.subject
from governance_finding_key k
where k.finding_type = any ($1::text[]) and not k.is_summary and k.subject <> all ($2::text[])
