select k.subject
from governance_finding_key k
where k.finding_type = $1::text and not k.is_summary
order by k.issue_id desc
limit 1000
