-- name: readInputs
-- The inputs of the groups in these scopes (:inventory_keys null: all groups). A group is gone when it has no
-- members and no live object row, which is found out only with :finds_gone. A group whose count must be
-- recomputed is not treated as gone.
-- nullable: owner_scope, axis_family, lifecycle_status, unresolved_reason, member_count, grain_count, h1, h2
-- nullable: :inventory_keys
with empty as materialized (
  select i.inventory_key
  from governance_inventory i
  where :finds_gone::boolean and i.member_count = 0 and not i.recompute_needed and (:inventory_keys::text[] is null or i.inventory_key = any (:inventory_keys::text[]))
    and (
      select o.inventory_key
      from governance_candidate_object o
      where o.inventory_key = i.inventory_key and o.row_state = 'active'
      -- Ordered as its index: without statistics the planner prefers a full table scan.
      order by o.inventory_key, o.scope
      limit 1) is null
)
select g.group_key, g.inventory_key, g.scope, g.owner_scope, i.object_class, i.source_registry, i.axis_family,
  i.lifecycle_status, i.unresolved_reason, i.inherits, coalesce(i.member_count, 0)::text as member_count,
  coalesce(i.grain_count, 0)::text as grain_count, coalesce(i.h1, 0)::text as h1, coalesce(i.h2, 0)::text as h2,
  i.inventory_key in (select e.inventory_key from empty e) as gone
from governance_group g
join governance_inventory i on i.inventory_key = g.inventory_key
where g.scope = any (:scopes::text[]) and (:inventory_keys::text[] is null or g.inventory_key = any (:inventory_keys::text[]))
order by g.inventory_key collate "C", g.scope collate "C"

-- name: writeGroups
-- Writes the verdicts of groups: new rows, and rows that are dirty, expired, of another ruleset, without
-- their snapshot, or different from what their inputs give now. An equal and valid row is not touched. A
-- row under another key or ruleset is superseded first, in this statement. INVARIANT: there is one live
-- row per inventory group and scope. Every change of a verdict is recorded in the history. A withheld
-- verdict replaces no row and is dirty from the start. A decided verdict refers to the newest snapshot that
-- contains its group; a renewed one keeps its snapshot, unless a newer one has the same fingerprint. If a
-- full scan (:cause audit) changes a row that was valid, the cause is `unmarked`.
-- nullable: :owners[], :input_states[]
with n as (
  select u.group_key, u.inventory_key, u.scope, u.owner_scope, u.verdict, u.line, u.evidence::jsonb as evidence,
    u.depends_on::jsonb as depends_on, u.risk_class, u.coverage_required, u.ttl_seconds, u.weight, u.input_hash, u.row_state,
    u.input_state
  from unnest(:group_keys::text[], :inventory_keys::text[], :scopes::text[], :owners::text[], :verdicts::text[], :lines::int4[], :evidence::text[], :depends_on::text[], :risk_classes::text[],
    :coverage_required::boolean[], :ttl_seconds::bigint[], :weights::int4[], :input_hashes::text[], :row_states::text[], :input_states::text[])
    as u(group_key, inventory_key, scope, owner_scope, verdict, line, evidence, depends_on, risk_class, coverage_required,
      ttl_seconds, weight, input_hash, row_state, input_state)
),
differing as (
  select n.group_key, n.inventory_key, n.scope, n.owner_scope, n.verdict, n.line, n.evidence, n.depends_on, n.risk_class,
    n.coverage_required, n.ttl_seconds, n.weight, n.input_hash, n.row_state, n.input_state, c.row_id as live_id,
    (c.group_key, c.ruleset_version) is distinct from (n.group_key, :ruleset_version::text) as is_other,
    c.candidate_verdict as verdict_before, c.coverage_outcome as outcome_before, c.coverage_scan_ref as scan_ref_before,
    coalesce((c.input_hash, c.candidate_verdict, c.verdict_line, c.row_state, c.weight, c.ruleset_version)
      = (n.input_hash, n.verdict, n.line, n.row_state, n.weight, :ruleset_version::text), false) as same,
    p.snapshot_ref, p.fingerprint, s.id as snapshot_before, c.evidence_fingerprint as fingerprint_before,
    coalesce(c.group_key = n.group_key and not c.dirty and c.recompute_status = 'ok' and c.row_state = 'active' and c.stale_after > :at::timestamptz
      and c.ruleset_version = :ruleset_version::text and s.id is not null, false) as is_unmarked
  from n
  join governance_inventory_snapshot p on p.inventory_key = n.inventory_key
  -- Uses the index, independent of statistics: before the first ANALYZE the planner prefers a join by
  -- scope alone, which is quadratic.
  left join lateral (
    select l.row_id, l.group_key, l.ruleset_version, l.owner_scope, l.source_snapshot_ref, l.stale_after, l.candidate_verdict,
      l.verdict_line, l.dirty, l.recompute_status, l.risk_class, l.coverage_outcome, l.coverage_scan_ref, l.weight, l.input_hash,
      l.row_state, l.evidence_fingerprint
    from governance_candidate_state l
    where l.inventory_key = n.inventory_key and l.scope = n.scope and l.row_state in ('active', 'retired')
    limit 1
  ) as c on true
  left join evolution_snapshots s on s.id = c.source_snapshot_ref
  where c.row_id is null or not starts_with(n.input_hash, 'withheld') and (c.group_key <> n.group_key
    or c.ruleset_version <> :ruleset_version::text or c.input_hash <> n.input_hash or c.candidate_verdict <> n.verdict or c.verdict_line <> n.line
    or c.row_state <> n.row_state or c.weight <> n.weight or c.risk_class <> n.risk_class
    or c.owner_scope is distinct from n.owner_scope or c.dirty or c.recompute_status <> 'ok'
    or c.stale_after <= :at::timestamptz or s.id is null)
),
cited as (
  select d.group_key, d.inventory_key, d.scope, d.owner_scope, d.verdict, d.line, d.evidence, d.depends_on, d.risk_class,
    d.coverage_required, d.ttl_seconds, d.weight, d.input_hash, d.row_state, d.input_state, d.same, d.outcome_before,
    d.scan_ref_before, case when k.keeps then d.snapshot_before else d.snapshot_ref end as snapshot_ref,
    case when k.keeps then d.fingerprint_before else d.fingerprint end as fingerprint
  from differing d
  cross join lateral (
    select d.same and d.snapshot_before is not null and d.fingerprint_before <> d.fingerprint as keeps
  ) as k
),
superseded as (
  update governance_candidate_state c
  set row_state = 'superseded', updated_at = :at::timestamptz
  from differing d
  where c.row_id = d.live_id and d.is_other
  returning c.row_id
),
written as (
  insert into governance_candidate_state as c (
    group_key, ruleset_version, inventory_key, scope, owner_scope, source_snapshot_ref, scan_time, stale_after,
    candidate_verdict, verdict_line, evidence, input_quality_state, dirty, dirty_reason, dirtied_at, depends_on, risk_class,
    coverage_required, coverage_outcome, coverage_scan_ref, weight, input_hash, evidence_fingerprint, last_run_id, row_state,
    created_at, updated_at)
  select d.group_key, :ruleset_version::text, d.inventory_key, d.scope, d.owner_scope, d.snapshot_ref, :at::timestamptz,
    :at::timestamptz + make_interval(secs => d.ttl_seconds * gcos_spread(d.group_key)), d.verdict, d.line, d.evidence, d.input_state,
    starts_with(d.input_hash, 'withheld'), case when starts_with(d.input_hash, 'withheld') then 'withheld' end,
    case when starts_with(d.input_hash, 'withheld') then :at::timestamptz end, d.depends_on, d.risk_class, d.coverage_required,
    case when d.coverage_required then case when d.same then coalesce(d.outcome_before, 'not_evaluated') else 'not_evaluated' end end,
    case when d.coverage_required and d.same then d.scan_ref_before end,
    d.weight, d.input_hash, d.fingerprint, :run_id::text, d.row_state, :at::timestamptz, :at::timestamptz
  from cited d
  -- Reading the count forces the order: all replaced rows are superseded before any row is inserted.
  where (select count(*) from superseded) >= 0
  order by d.inventory_key collate "C", d.scope collate "C"
  on conflict (group_key, ruleset_version) do update
  set inventory_key = excluded.inventory_key, scope = excluded.scope, owner_scope = excluded.owner_scope,
    source_snapshot_ref = excluded.source_snapshot_ref, scan_time = excluded.scan_time, stale_after = excluded.stale_after,
    candidate_verdict = excluded.candidate_verdict, verdict_line = excluded.verdict_line, evidence = excluded.evidence,
    input_quality_state = excluded.input_quality_state, dirty = excluded.dirty,
    dirty_reason = excluded.dirty_reason, dirtied_at = excluded.dirtied_at, depends_on = excluded.depends_on, recompute_status = 'ok',
    risk_class = excluded.risk_class, coverage_required = excluded.coverage_required,
    coverage_outcome = excluded.coverage_outcome, coverage_scan_ref = excluded.coverage_scan_ref,
    -- Coverage evidence is dropped when coverage is no longer required.
    coverage_evidence = case when excluded.coverage_required then c.coverage_evidence end, weight = excluded.weight,
    input_hash = excluded.input_hash, evidence_fingerprint = excluded.evidence_fingerprint, carried_from = null,
    last_run_id = excluded.last_run_id, row_state = excluded.row_state, updated_at = excluded.updated_at
  returning c.row_id, c.group_key, c.scope, c.source_snapshot_ref, c.scan_time, c.candidate_verdict, c.coverage_outcome,
    c.verdict_line, (xmax = 0) as created
),
history as (
  insert into governance_verdict_history (
    row_id, group_key, scope, ruleset_version, source_snapshot_ref, scan_time, verdict_before, verdict_after, outcome_before,
    outcome_after, verdict_line, cause, run_id)
  select w.row_id, w.group_key, w.scope, :ruleset_version::text, w.source_snapshot_ref, w.scan_time, d.verdict_before, w.candidate_verdict,
    d.outcome_before, w.coverage_outcome, w.verdict_line,
    case when :cause::text = 'audit' and d.is_unmarked then 'unmarked' else :cause::text end, :run_id::text
  from written w
  join differing d on d.group_key = w.group_key
  where d.verdict_before is distinct from w.candidate_verdict or d.outcome_before is distinct from w.coverage_outcome
  order by w.row_id
  returning history_id
)
select
  (select count(*) from written w where w.created) as inserted,
  (select count(*) from written w join differing d on d.group_key = w.group_key where not w.created and not d.same) as changed,
  (select count(*) from written w join differing d on d.group_key = w.group_key where not w.created and d.same) as renewed,
  (select count(*) from superseded) as superseded,
  (select count(*) from history) as recorded

-- name: supersedeKeys
-- Moves groups whose owner changed to their new key. The row under the old key is superseded. A dirty row
-- under the new key replaces it, because the verdict was made under another owner. Its objects become
-- dirty, too. :inventory_keys null: all groups.
-- nullable: :inventory_keys
with moved as (
  select c.row_id, c.row_state, g.group_key, g.owner_scope
  from governance_candidate_state c
  join governance_group g on g.inventory_key = c.inventory_key and g.scope = c.scope
  where c.row_state in ('active', 'retired') and c.group_key <> g.group_key
    and (:inventory_keys::text[] is null or c.inventory_key = any (:inventory_keys::text[]))
),
old as (
  update governance_candidate_state c
  set row_state = 'superseded', updated_at = :at::timestamptz
  from moved m
  where c.row_id = m.row_id
  returning m.group_key, m.owner_scope, m.row_state, c.ruleset_version, c.inventory_key, c.scope, c.source_snapshot_ref,
    c.scan_time, c.stale_after, c.candidate_verdict, c.verdict_line, c.evidence, c.input_quality_state, c.input_quality_ref,
    c.depends_on, c.risk_class, c.coverage_required, c.coverage_outcome, c.coverage_scan_ref, c.coverage_evidence, c.weight, c.input_hash,
    c.evidence_fingerprint, c.issue_ref
),
new as (
  insert into governance_candidate_state (
    group_key, ruleset_version, inventory_key, scope, owner_scope, source_snapshot_ref, scan_time, stale_after,
    candidate_verdict, verdict_line, evidence, input_quality_state, input_quality_ref, dirty, dirty_reason, dirtied_at,
    depends_on, risk_class, coverage_required, coverage_outcome, coverage_scan_ref, coverage_evidence, weight, input_hash, evidence_fingerprint,
    issue_ref, last_run_id, row_state, created_at, updated_at)
  select o.group_key, o.ruleset_version, o.inventory_key, o.scope, o.owner_scope, o.source_snapshot_ref, o.scan_time,
    o.stale_after, o.candidate_verdict, o.verdict_line, o.evidence, o.input_quality_state, o.input_quality_ref, true, 'authority',
    :at::timestamptz,
    o.depends_on || jsonb_build_object('owners', array_remove(array[o.owner_scope], null)), o.risk_class,
    o.coverage_required, o.coverage_outcome, o.coverage_scan_ref, o.coverage_evidence, o.weight, o.input_hash, o.evidence_fingerprint, o.issue_ref,
    :run_id::text, o.row_state, :at::timestamptz, :at::timestamptz
  from old o
  where (select count(*) from old) >= 0
  order by o.inventory_key collate "C", o.scope collate "C"
  on conflict (group_key, ruleset_version) do update
  set source_snapshot_ref = excluded.source_snapshot_ref, scan_time = excluded.scan_time, stale_after = excluded.stale_after,
    candidate_verdict = excluded.candidate_verdict, verdict_line = excluded.verdict_line, evidence = excluded.evidence,
    input_quality_state = excluded.input_quality_state, input_quality_ref = excluded.input_quality_ref, dirty = true,
    dirty_reason = excluded.dirty_reason, dirtied_at = excluded.dirtied_at, depends_on = excluded.depends_on,
    recompute_status = 'ok', risk_class = excluded.risk_class, coverage_required = excluded.coverage_required,
    coverage_outcome = excluded.coverage_outcome, coverage_scan_ref = excluded.coverage_scan_ref,
    coverage_evidence = excluded.coverage_evidence, weight = excluded.weight,
    input_hash = excluded.input_hash, evidence_fingerprint = excluded.evidence_fingerprint, carried_from = null,
    issue_ref = excluded.issue_ref, last_run_id = excluded.last_run_id, row_state = excluded.row_state,
    updated_at = excluded.updated_at
  returning group_key, inventory_key, scope
),
objects as (
  update governance_candidate_object c
  set group_key = n.group_key, dirty = true, dirty_reason = coalesce(c.dirty_reason, 'authority'),
    dirtied_at = coalesce(c.dirtied_at, :at::timestamptz), updated_at = :at::timestamptz
  from new n
  where c.inventory_key = n.inventory_key and c.scope = n.scope and c.row_state in ('active', 'retired')
  returning c.row_id
)
select n.group_key, n.inventory_key, n.scope, (select count(*) from objects) as objects
from new n

-- name: supersedeScopes
-- Supersedes live rows of scopes that are no longer active. :inventory_keys null: all groups.
-- nullable: :inventory_keys
with gone as (
  update governance_candidate_state c
  set row_state = 'superseded', updated_at = :at::timestamptz
  where c.row_state in ('active', 'retired') and c.scope <> all (:scopes::text[])
    and (:inventory_keys::text[] is null or c.inventory_key = any (:inventory_keys::text[]))
  returning c.row_id
),
gone_objects as (
  update governance_candidate_object c
  set row_state = 'superseded', updated_at = :at::timestamptz
  where c.row_state in ('active', 'retired') and c.scope <> all (:scopes::text[])
    and (:inventory_keys::text[] is null or c.inventory_key = any (:inventory_keys::text[]))
  returning c.row_id
)
select (select count(*) from gone) as groups, (select count(*) from gone_objects) as objects

-- name: readCurrentVerdicts
-- The live rows of groups (:inventory_keys null: all) under :ruleset_version, with their inputs and
-- verdict, and whether they are valid at :at. An equal row is not evaluated again; an equal and valid row
-- is not written.
-- nullable: owner_scope, :inventory_keys
select c.group_key, c.input_hash, c.candidate_verdict, c.verdict_line, c.row_state, c.weight, c.risk_class, c.owner_scope,
  not c.dirty and c.recompute_status = 'ok' and c.stale_after > :at::timestamptz and s.id is not null as holds,
  s.id is not null as cited
from governance_candidate_state c
left join evolution_snapshots s on s.id = c.source_snapshot_ref
where c.row_state in ('active', 'retired') and c.ruleset_version = :ruleset_version::text
  and (:inventory_keys::text[] is null or c.inventory_key = any (:inventory_keys::text[]))

-- name: readLiveScopes
select g.scope from governance_group g group by g.scope
