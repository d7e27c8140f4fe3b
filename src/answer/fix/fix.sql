-- name: readGaps
-- The missing links of relevant units, grouped by the act that provides them: one row per act and place.
-- :links and :types map a link to the type of its
-- finding. Lists the findings about the same gap; the owner of an axis or of a classifying rule has its own
-- finding type.
-- nullable: collection, scope, severity, run
with unit as materialized (
  select c.row_id, c.inventory_key, c.scope, null::text as code, c.owner_scope, c.coverage_evidence, c.source_snapshot_ref,
    c.ruleset_version, c.scan_time, c.coverage_scan_ref
  from governance_candidate_state c
  where c.row_state = 'active' and c.candidate_verdict = 'relevant' and c.weight = 1 and c.coverage_outcome = 'orphan'
  union all
  select c.row_id, c.inventory_key, c.scope, c.entity_code, c.owner_scope, c.coverage_evidence, c.source_snapshot_ref,
    c.ruleset_version, c.scan_time, c.coverage_scan_ref
  from governance_candidate_object c
  where c.row_state = 'active' and c.candidate_verdict = 'relevant' and c.weight = 1 and c.coverage_outcome = 'orphan'
),
gap as materialized (
  select u.row_id, u.inventory_key, u.scope, u.code, u.owner_scope, u.source_snapshot_ref, u.ruleset_version, u.scan_time,
    u.coverage_scan_ref, i.source_registry, i.member_count, l.link, a.action, a.tool,
    case when a.action = 'choose_owner' then 'owner_conflict' else t.finding_type end as finding_type,
    count(*) over (partition by u.row_id) as gaps_of_unit,
    w.kind, w.subject, case when w.kind = 'object' then i.source_registry end as collection,
    case when a.action <> 'authorize_tool' then u.scope end as at_scope
  from unit u
  join governance_inventory i on i.inventory_key = u.inventory_key
  cross join lateral jsonb_each(u.coverage_evidence -> 'links') as l(link, found)
  cross join lateral (
    select l.found ->> 'tool' as tool,
      case
        when l.found ->> 'state' = 'conflict' then 'choose_owner'
        when l.link = 'owner' then 'name_owner'
        when l.link = 'dot_authority' and l.found ? 'tool' then 'authorize_tool'
        else 'give_link'
      end as action
  ) as a
  -- The place where one act provides all of them: an owner is inherited from the collection, an authority
  -- belongs to the tool, a reference belongs to each object of a class.
  cross join lateral (
    select k.kind, case k.kind when 'tool' then a.tool when 'object' then u.code when 'class' then i.object_class else i.source_registry end as subject
    from (
      select case
        when a.action = 'choose_owner' then case when l.found ->> 'via' = 'object' and u.code is not null then 'object'
          when l.found ->> 'via' = 'class' then 'class' else 'collection' end
        when a.action = 'authorize_tool' then 'tool'
        when a.action = 'name_owner' or u.code is null then 'collection'
        else 'class'
      end as kind
    ) k
  ) as w
  left join unnest(:links::text[], :types::text[]) as t(link, finding_type) on t.link = l.link
  where l.found ->> 'state' in ('missing', 'conflict')
),
finding as materialized (
  select k.issue_code, k.finding_type, k.subject, k.scope, k.severity, k.routes, e.facts ->> 'link' as link, e.facts ->> 'tool' as tool,
    e.facts ->> 'registry' as registry, i.entity_code::text as entity_code
  from governance_finding_key k
  join system_issues i on i.id = k.issue_id and i.code = k.issue_code
  join governance_finding_type f on f.finding_type = k.finding_type and f.family = 'coverage'
  cross join lateral (select i.evidence_snapshot::jsonb -> 'facts' as facts) as e
  where not k.is_summary and (i.status::text = any ((select gcos_closed_statuses())::text[])) is not true
),
reported as (
  select g.row_id, g.link, f.issue_code, f.severity, f.routes
  from gap g
  join finding f on f.finding_type = g.finding_type and f.subject = g.inventory_key and f.scope = g.scope and f.link = g.link
  where case when g.tool is not null then f.tool = g.tool else f.entity_code = coalesce(g.code, g.source_registry) end
  union all
  select g.row_id, g.link, f.issue_code, f.severity, f.routes
  from gap g
  join finding f on f.subject = g.code and f.scope = g.scope and f.registry = g.source_registry
  where g.action = 'name_owner' and f.finding_type in ('axis_owner_gap', 'classification_policy_unowned')
),
fix as (
  select g.action, g.link, g.kind, g.subject, g.collection, g.at_scope, count(distinct (g.inventory_key, g.code)) as objects,
    count(distinct (g.inventory_key, g.code)) filter (where g.gaps_of_unit = 1) as alone,
    coalesce(sum(g.member_count) filter (where g.code is null), 0)::bigint as members,
    (array_agg(distinct g.source_registry || coalesce('/' || g.code, '')))[1:5] as sample,
    array_agg(distinct g.owner_scope) filter (where g.owner_scope is not null) as owners,
    max(g.source_snapshot_ref) as snapshot, max(g.ruleset_version) as ruleset, max(g.scan_time) as scan_time,
    max(g.coverage_scan_ref) as run
  from gap g
  group by g.action, g.link, g.kind, g.subject, g.collection, g.at_scope
),
findings_of as (
  select g.action, g.link, g.kind, g.subject, g.collection, g.at_scope, array_agg(distinct s.issue_code) as findings,
    array_agg(distinct r.route) as routes,
    (array['critical', 'high', 'medium', 'low'])[min(array_position(array['critical', 'high', 'medium', 'low'], s.severity))] as severity
  from reported s
  join gap g on g.row_id = s.row_id and g.link = s.link
  cross join lateral unnest(s.routes) as r(route)
  group by g.action, g.link, g.kind, g.subject, g.collection, g.at_scope
)
select f.action, f.link, f.kind, f.subject, f.collection, f.at_scope as scope, f.objects, f.alone, f.members, f.sample,
  coalesce(f.owners, '{}') as owners, coalesce(t.findings, '{}') as findings, coalesce(t.routes, '{}') as routes, t.severity, f.snapshot,
  f.ruleset, f.scan_time, f.run
from fix f
left join findings_of t on t.action = f.action and t.link = f.link and t.kind = f.kind and t.subject = f.subject
  and t.collection is not distinct from f.collection and t.at_scope is not distinct from f.at_scope

-- name: readOthers
-- Open coverage findings that are not a missing link of a unit: each is a fix of its own. :alone are
-- types that are always separate; :unplaced are types that are separate if the inventory does not contain
-- their subject. An axis counts the objects it groups.
-- nullable: scope, ruleset, entity_type, entity_code, run
select k.issue_code as code, k.finding_type as type, k.subject, k.scope, k.severity, k.routes, k.ruleset, f.closed_when,
  i.entity_type::text as entity_type, i.entity_code::text as entity_code, i.run_id::text as run, n.objects, n.members, n.sample
from governance_finding_key k
join governance_finding_type f on f.finding_type = k.finding_type
join system_issues i on i.id = k.issue_id and i.code = k.issue_code
cross join lateral (
  select coalesce(sum(v.grain_count), 0)::bigint as objects,
    coalesce(sum(v.member_count) filter (where v.inherits), 0)::bigint as members,
    coalesce((array_agg(distinct v.source_registry))[1:5], '{}') as sample
  from governance_inventory v
  where k.finding_type = 'axis_unregistered' and v.axis_family = k.subject
) as n
where not k.is_summary and (i.status::text = any ((select gcos_closed_statuses())::text[])) is not true
  and (k.finding_type = any (:alone::text[])
    or (k.finding_type = any (:unplaced::text[]) and k.scope is null
      and not exists (select from governance_inventory v where v.inventory_key = k.subject)))
order by k.issue_id

-- name: readFinding
-- One finding with its closing condition, and whether it is open.
-- nullable: scope, ruleset, entity_type, entity_code, run
select k.issue_code as code, k.finding_type as type, k.subject, k.scope, k.severity, k.routes, k.ruleset, f.closed_when,
  i.entity_type::text as entity_type, i.entity_code::text as entity_code, i.run_id::text as run,
  (i.status::text = any ((select gcos_closed_statuses())::text[])) is not true as is_open
from governance_finding_key k
join governance_finding_type f on f.finding_type = k.finding_type
join system_issues i on i.id = k.issue_id and i.code = k.issue_code
where k.issue_code = :code::text

-- name: readPending
-- The pending request for :remedy, if there is one. The status column of the host does not count.
select w.request_code as code
from governance_request w
join gcos_request_status(array(
  select r.request_code from governance_request r
  where r.action_code = 'gcos.remediation.propose' and r.proposed_action ->> 'remedy' = :remedy::text)) s on s.request_code = w.request_code
where s.status = 'pending'
order by w.opened_at
limit 1

-- name: lockProposals
-- Serializes proposals, so that two identical ones do not both find no pending request.
select gcos_take_lock('remediation') as locked

-- name: readEvaluated
-- The latest snapshot of the active rows, and the number of relevant units whose coverage could not be
-- evaluated.
-- nullable: snapshot
select max(c.source_snapshot_ref) as snapshot,
  count(*) filter (where c.weight = 1 and c.candidate_verdict = 'relevant' and coalesce(c.coverage_outcome, 'not_evaluated') = 'not_evaluated')
  + (
    select count(*) from governance_candidate_object o
    where o.row_state = 'active' and o.weight = 1 and o.candidate_verdict = 'relevant'
      and coalesce(o.coverage_outcome, 'not_evaluated') = 'not_evaluated') as not_evaluated
from governance_candidate_state c
where c.row_state = 'active'
