-- Groups whose owner has changed have a new key. The row under the old key is superseded and one under the new key takes its
-- place, dirty: what it says was believed under another owner. Its objects are dirty, too. $1 null: all groups.
with moved as (
  select c.row_id, c.row_state, g.group_key, g.owner_scope
  from governance_candidate_state c
  join governance_group g on g.inventory_key = c.inventory_key and g.scope = c.scope
  where c.row_state in ('active', 'retired') and c.group_key <> g.group_key
    and ($1::text[] is null or c.inventory_key = any ($1::text[]))
),
old as (
  update governance_candidate_state c
  set row_state = 'superseded', updated_at = $2::timestamptz
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
    $2::timestamptz,
    o.depends_on || jsonb_build_object('owners', array_remove(array[o.owner_scope], null)), o.risk_class,
    o.coverage_required, o.coverage_outcome, o.coverage_scan_ref, o.coverage_evidence, o.weight, o.input_hash, o.evidence_fingerprint, o.issue_ref,
    $3::text, o.row_state, $2::timestamptz, $2::timestamptz
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
    dirtied_at = coalesce(c.dirtied_at, $2::timestamptz), updated_at = $2::timestamptz
  from new n
  where c.inventory_key = n.inventory_key and c.scope = n.scope and c.row_state in ('active', 'retired')
  returning c.row_id
)
select n.group_key, n.inventory_key, n.scope, (select count(*) from objects) as objects
from new n
