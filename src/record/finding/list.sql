-- Gravest first, then oldest first; $8 is the code of the last finding of the page before.
select k.issue_code as code, k.finding_type as type, k.subject, k.scope, k.severity, k.routes,
  i.status::text as status, coalesce(i.occurrence_count, 0)::bigint as occurrences, i.first_seen_at, i.last_seen_at
from governance_finding_key k
join system_issues i on i.id = k.issue_id and i.code = k.issue_code
where ($1::text is null or k.finding_type = $1)
  and ($2::text is null or k.scope = $2)
  and ($3::text is null or k.severity = $3)
  and ($4::text is null or $4 = any (k.routes))
  and ($5::boolean or (i.status::text = any ($6::text[])) is not true)
  and ($8::text is null or (array_position(array['critical', 'high', 'medium', 'low'], k.severity), k.issue_id) > (
    select array_position(array['critical', 'high', 'medium', 'low'], a.severity), a.issue_id
    from governance_finding_key a where a.issue_code = $8))
order by array_position(array['critical', 'high', 'medium', 'low'], k.severity), k.issue_id
limit $7::bigint
