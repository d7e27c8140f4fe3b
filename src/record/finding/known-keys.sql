select k.coalesce_key
from governance_finding_key k
where k.coalesce_key = any ($1::text[]) and k.issue_id is not null
