-- What findings of these types have been about.
select k.finding_type, k.subject
from governance_finding_key k
where k.finding_type = any ($1::text[]) and not k.is_summary
order by k.issue_id desc
limit 2000
