-- One finding, with what closes it, and whether it is open by the words $2 for a closed one.
select k.issue_code as code, k.finding_type as type, k.subject, k.scope, k.severity, k.routes, k.ruleset, f.closed_when,
  i.entity_type::text as entity_type, i.entity_code::text as entity_code, i.run_id::text as run,
  (i.status::text = any ($2::text[])) is not true as is_open
from governance_finding_key k
join governance_finding_type f on f.finding_type = k.finding_type
join system_issues i on i.id = k.issue_id and i.code = k.issue_code
where k.issue_code = $1::text
