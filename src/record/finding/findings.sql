-- name: list
-- Most severe first, then oldest first; :after is the code of the last finding of the previous page.
-- nullable: entity_type, entity_code, scope, status, first_seen_at, last_seen_at, :type, :scope, :severity, :owner, :after
select k.issue_code as code, k.finding_type as type, k.subject, k.entity_type, k.entity_code, k.scope, k.severity, k.routes,
  i.status::text as status, coalesce(i.occurrence_count, 0)::bigint as occurrences, i.first_seen_at, i.last_seen_at
from governance_finding_key k
join system_issues i on i.id = k.issue_id and i.code = k.issue_code
where (:type::text is null or k.finding_type = :type)
  and (:scope::text is null or k.scope = :scope)
  and (:severity::text is null or k.severity = :severity)
  and (:owner::text is null or :owner = any (k.routes))
  and (:all::boolean or (i.status::text = any ((select gcos_closed_statuses())::text[])) is not true)
  and (:after::text is null or (array_position(array['critical', 'high', 'medium', 'low'], k.severity), k.issue_id) > (
    select array_position(array['critical', 'high', 'medium', 'low'], a.severity), a.issue_id
    from governance_finding_key a where a.issue_code = :after))
order by array_position(array['critical', 'high', 'medium', 'low'], k.severity), k.issue_id
limit :limit::bigint

-- name: countOpen
-- How many findings the list has without a filter, by type and severity.
select k.finding_type as type, k.severity, count(*) as findings
from governance_finding_key k
join system_issues i on i.id = k.issue_id and i.code = k.issue_code
where (i.status::text = any ((select gcos_closed_statuses())::text[])) is not true
group by k.finding_type, k.severity
order by array_position(array['critical', 'high', 'medium', 'low'], k.severity), k.finding_type collate "C"

-- name: listTypes
select f.finding_type as type from governance_finding_type f order by f.finding_type collate "C"

-- name: occurringScopes
select distinct k.scope collate "C" as scope from governance_finding_key k where k.scope is not null order by 1

-- name: occurringRoutes
select distinct r.route collate "C" as route from governance_finding_key k cross join lateral unnest(k.routes) as r(route) order by 1

-- name: show
-- nullable: scope, ruleset, notified_at, status, host_severity, entity_type, entity_code, run_id
-- nullable: first_seen_at, last_seen_at, evidence, parent
-- not null: issue_id
select k.issue_code as code, k.issue_id, k.coalesce_key as key, k.finding_type as type, f.family, f.bucket, f.event_type,
  f.raised_when, f.closed_when, k.subject, k.scope, k.severity, k.routes, k.ruleset, k.announced, k.notified_at,
  i.status::text as status, i.severity::text as host_severity, i.entity_type::text as entity_type,
  i.entity_code::text as entity_code, coalesce(i.occurrence_count, 0)::bigint as occurrences,
  coalesce(i.reopen_count, 0)::bigint as reopens, i.run_id::text as run_id, i.first_seen_at, i.last_seen_at,
  i.evidence_snapshot::text as evidence, p.issue_code as parent,
  array(
    select c.issue_code
    from governance_finding_key c
    join system_issues ci on ci.id = c.issue_id and ci.code = c.issue_code
    where c.parent_key = k.coalesce_key
    order by c.issue_id
    limit 100) as children
from governance_finding_key k
join governance_finding_type f on f.finding_type = k.finding_type
join system_issues i on i.id = k.issue_id and i.code = k.issue_code
left join governance_finding_key p on p.coalesce_key = k.parent_key
where k.issue_code = :code::text
