-- Summary views for dashboards: small results, at most O(groups), so that clients need not read the rows
-- themselves. Time-dependent values are as of now(). INVARIANT: no view references a host table, because that
-- would block schema changes of the host. Functions read the host tables instead; their bodies are checked
-- only when they run.

create view {{schema}}.v_governance_ledger as
select r.run_id, r.kind, r.mode, (r.ledger ->> 'at')::timestamptz as closed_at,
  coalesce(r.closing_snapshot_ref, r.source_snapshot_ref) as snapshot_id, r.ruleset_version, s.scope, s.total, s.covered, s.orphans,
  s.exceptions, s.retired, s.unverified, s.unverified_by, s.deferred_birth, s.deferred_by, s.class_0, s.not_relevant, s.tombstones,
  s.inventory, s.closes, s.verified_share,
  (
    select l.run_id
    from (
      select n.run_id from {{schema}}.candidate_scan_run n
      where n.ledger is not null
      order by n.started_at desc, n.run_id desc
      limit 1
    ) l
    where l.run_id <> r.run_id
  ) as not_closed_since
from (
  select c.run_id, c.kind, c.mode, c.ledger, c.closing_snapshot_ref, c.source_snapshot_ref, c.ruleset_version
  from {{schema}}.candidate_scan_run c
  where c.ledger is not null and c.status = 'completed'
  order by c.started_at desc, c.run_id desc
  limit 1
) r
cross join lateral jsonb_to_recordset(r.ledger -> 'scopes') as s(
  scope text, total bigint, covered bigint, orphans bigint, exceptions bigint, retired bigint, unverified bigint, unverified_by jsonb,
  deferred_birth bigint, deferred_by jsonb, class_0 bigint, not_relevant bigint, tombstones bigint, inventory bigint, closes boolean,
  verified_share double precision);
comment on view {{schema}}.v_governance_ledger is 'GCOS: the last ledger closed, one row per scope';

-- These functions apply the predicate of governance_validity() to each row. For a join by row_id the planner
-- must estimate the matching rows: for rows just written it expects a handful, and 20,000 rows took 20
-- seconds instead of 50 ms.
set local check_function_bodies = off;
create function {{trust}}.governance_coverage_summary(as_of timestamptz)
returns table (
  object_class text, scope text, units bigint, members bigint, relevant bigint, covered bigint, orphans bigint, exceptions bigint,
  not_evaluated bigint, no_longer_valid bigint)
language sql stable
set search_path = pg_catalog, pg_temp
as $gcos_function$
  with effect as materialized (
    select x.row_id, x.change from {{trust}}.governance_exception_effect(as_of) x
  ),
  live as (
    select c.row_id, c.inventory_key, true as is_group, c.scope, c.candidate_verdict, c.coverage_outcome, c.ruleset_version,
      c.source_snapshot_ref, c.recompute_status, c.dirty, c.stale_after
    from {{schema}}.governance_candidate_state c
    where c.row_state = 'active' and c.weight = 1
    union all
    select c.row_id, c.inventory_key, false, c.scope, c.candidate_verdict, c.coverage_outcome, c.ruleset_version,
      c.source_snapshot_ref, c.recompute_status, c.dirty, c.stale_after
    from {{schema}}.governance_candidate_object c
    where c.row_state = 'active' and c.weight = 1
  )
  select u.object_class, u.scope, count(*) as units, coalesce(sum(u.members), 0)::bigint as members,
    count(*) filter (where u.relevant) as relevant, count(*) filter (where u.relevant and u.outcome = 'covered') as covered,
    count(*) filter (where u.relevant and u.outcome = 'orphan') as orphans,
    count(*) filter (where u.relevant and u.outcome = 'exception') as exceptions,
    count(*) filter (where u.relevant and u.outcome = 'not_evaluated') as not_evaluated,
    count(*) filter (where not u.valid) as no_longer_valid
  from (
    select i.object_class, l.scope, case when l.is_group then i.member_count end as members, l.candidate_verdict = 'relevant' as relevant,
      coalesce(case when f.change is null then l.coverage_outcome end, 'not_evaluated') as outcome,
      {{trust}}.gcos_validity_reason(r.status, s.id is not null, l.recompute_status, l.dirty, l.stale_after, as_of) is null as valid
    from live l
    join {{schema}}.governance_inventory i on i.inventory_key = l.inventory_key
    left join {{trust}}.governance_ruleset r on r.ruleset_version = l.ruleset_version
    left join {{schema}}.evolution_snapshots s on s.id = l.source_snapshot_ref
    left join effect f on f.row_id = l.row_id
  ) u
  group by u.object_class, u.scope
$gcos_function$;
comment on function {{trust}}.governance_coverage_summary(timestamptz) is 'GCOS: units and their coverage outcomes at a point in time, by class and scope';

create view {{schema}}.v_governance_coverage as
select c.object_class, c.scope, c.units, c.members, c.relevant, c.covered, c.orphans, c.exceptions, c.not_evaluated, c.no_longer_valid
from {{trust}}.governance_coverage_summary(now()) c;
comment on view {{schema}}.v_governance_coverage is 'GCOS: units and their coverage outcomes, one row per class and scope';

create function {{trust}}.governance_open_finding()
returns table (
  finding_type text, family text, severity text, owner text, findings bigint, occurrences bigint, first_seen_at timestamptz,
  last_seen_at timestamptz)
language sql stable
set search_path = pg_catalog, pg_temp
as $gcos_function$
  select k.finding_type, f.family, k.severity, r.owner, count(*), coalesce(sum(i.occurrence_count), 0)::bigint,
    min(i.first_seen_at)::timestamptz, max(i.last_seen_at)::timestamptz
  from {{schema}}.governance_finding_key k
  join {{schema}}.governance_finding_type f on f.finding_type = k.finding_type
  join {{schema}}.system_issues i on i.id = k.issue_id and i.code = k.issue_code
  cross join lateral unnest(k.routes) as r(owner)
  where (i.status::text = any ((select {{trust}}.gcos_closed_statuses())::text[])) is not true
  group by k.finding_type, f.family, k.severity, r.owner
$gcos_function$;
comment on function {{trust}}.governance_open_finding() is 'GCOS: open findings, counted by type, severity and recipient';
create view {{schema}}.v_governance_finding as
select f.finding_type, f.family, f.severity, f.owner, f.findings, f.occurrences, f.first_seen_at, f.last_seen_at
from {{trust}}.governance_open_finding() f;
comment on view {{schema}}.v_governance_finding is 'GCOS: open findings, one row per type, severity and owner; one that goes to two bodies counts for each';

create function {{trust}}.governance_group_verdict(as_of timestamptz)
returns table (
  group_key text, inventory_key text, object_class text, source_registry text, axis_family text, lifecycle_status text, scope text,
  owner_scope text, inherits boolean, members bigint, verdict text, verdict_line smallint, risk_class text, coverage_outcome text,
  valid boolean, invalid_reason text, scan_time timestamptz, stale_after timestamptz, snapshot_id bigint, ruleset_version text,
  dirty boolean, dirty_reason text)
language sql stable
set search_path = pg_catalog, pg_temp
as $gcos_function$
  select c.group_key, c.inventory_key, i.object_class, i.source_registry, i.axis_family, i.lifecycle_status, c.scope, c.owner_scope,
    i.inherits, i.member_count as members, c.candidate_verdict as verdict, c.verdict_line, c.risk_class, c.coverage_outcome,
    v.reason is null as valid, v.reason as invalid_reason, c.scan_time, c.stale_after, c.source_snapshot_ref as snapshot_id,
    c.ruleset_version, c.dirty, c.dirty_reason
  from {{schema}}.governance_candidate_state c
  join {{schema}}.governance_inventory i on i.inventory_key = c.inventory_key
  left join {{trust}}.governance_ruleset r on r.ruleset_version = c.ruleset_version
  left join {{schema}}.evolution_snapshots s on s.id = c.source_snapshot_ref
  cross join lateral (
    select {{trust}}.gcos_validity_reason(r.status, s.id is not null, c.recompute_status, c.dirty, c.stale_after, as_of) as reason
  ) v
  where c.row_state = 'active'
$gcos_function$;
comment on function {{trust}}.governance_group_verdict(timestamptz) is 'GCOS: the verdict of every group, and whether it is valid at a point in time';

create view {{schema}}.v_governance_verdict as
select v.group_key, v.inventory_key, v.object_class, v.source_registry, v.axis_family, v.lifecycle_status, v.scope, v.owner_scope,
  v.inherits, v.members, v.verdict, v.verdict_line, v.risk_class, v.coverage_outcome, v.valid, v.invalid_reason, v.scan_time,
  v.stale_after, v.snapshot_id, v.ruleset_version, v.dirty, v.dirty_reason
from {{trust}}.governance_group_verdict(now()) v;
comment on view {{schema}}.v_governance_verdict is 'GCOS: the verdict of every group, and whether it is still valid';

set local check_function_bodies to default;
revoke all on function {{trust}}.governance_coverage_summary(timestamptz), {{trust}}.governance_open_finding(), {{trust}}.governance_group_verdict(timestamptz) from public;
grant execute on function {{trust}}.governance_coverage_summary(timestamptz), {{trust}}.governance_open_finding(), {{trust}}.governance_group_verdict(timestamptz)
  to {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};

create view {{schema}}.v_governance_backlog as
select w.scope, w.risk_class, w.reason, count(*) filter (where w.is_group) as groups, count(*) filter (where not w.is_group) as objects,
  min(w.since) as oldest,
  sum(greatest(extract(epoch from now() - w.since), 0)::float8 * coalesce((s.setting_value ->> w.risk_class)::float8, 8)) as exposure
from (
  select true as is_group, c.scope, c.risk_class, case when c.dirty then c.dirty_reason else 'expired' end as reason,
    case when c.dirty then c.dirtied_at else c.stale_after end as since
  from {{schema}}.governance_candidate_state c
  where c.row_state = 'active' and (c.dirty or c.stale_after <= now())
  union all
  select false, o.scope, o.risk_class, case when o.dirty then o.dirty_reason else 'expired' end,
    case when o.dirty then o.dirtied_at else o.stale_after end
  from {{schema}}.governance_candidate_object o
  where o.row_state = 'active' and (o.dirty or o.stale_after <= now())
) w
left join {{trust}}.governance_setting s on s.setting_key = 'scan.risk'
group by w.scope, w.risk_class, w.reason;
comment on view {{schema}}.v_governance_backlog is 'GCOS: what waits for a scan, one row per scope, risk and reason';

create view {{schema}}.v_governance_run as
select r.run_id, r.kind, r.mode, r.status, r.started_at, r.finished_at, r.source_snapshot_ref as snapshot_id,
  r.closing_snapshot_ref as closing_snapshot_id, r.ruleset_version, r.phase, r.counts, (r.ledger ->> 'closes')::boolean as ledger_closes,
  r.error
from {{schema}}.candidate_scan_run r
order by r.started_at desc, r.run_id desc
limit 50;
comment on view {{schema}}.v_governance_run is 'GCOS: the last 50 runs, the latest first';

create view {{schema}}.v_governance_exception as
select e.exception_code, e.status, e.subject_kind, e.collection_name, e.entity_code, e.inventory_key, e.object_class, e.scope, e.link,
  e.requested_by, e.granted_at, e.expires_at, e.approval_ref
from {{trust}}.governance_exception_status(now()) e
where e.status <> 'revoked';
comment on view {{schema}}.v_governance_exception is 'GCOS: exceptions that were not revoked, with their status';

grant select on {{schema}}.v_governance_ledger, {{schema}}.v_governance_coverage, {{schema}}.v_governance_finding, {{schema}}.v_governance_verdict, {{schema}}.v_governance_backlog,
  {{schema}}.v_governance_run, {{schema}}.v_governance_exception to {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};
