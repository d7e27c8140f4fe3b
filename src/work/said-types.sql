select distinct k.subject
from governance_finding_key k
where k.finding_type = any ($1::text[]) and k.scope is null
