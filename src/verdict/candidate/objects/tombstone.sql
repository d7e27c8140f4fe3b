-- Objects ($1, $2) that are no longer there: their rows stay, retired, and say why. They weigh what they weighed.
with gone as (
  select c.row_id, c.ruleset_version <> $4::text as is_other, c.object_key, c.collection_name, c.entity_code, c.group_key,
    c.inventory_key, c.scope, c.owner_scope, c.materialization_reason, c.reasons, c.birth_id,
    greatest(c.stale_after - c.scan_time, interval '0') as ttl, c.depends_on, c.risk_class, c.weight, c.input_hash,
    c.candidate_verdict as verdict_before, c.coverage_outcome as outcome_before
  from unnest($1::text[], $2::text[]) as k(collection_name, code)
  join governance_candidate_object c
    on c.object_key = gcos_object_key(k.collection_name, k.code) and c.row_state in ('active', 'retired')
),
superseded as (
  update governance_candidate_object c
  set row_state = 'superseded', updated_at = $6::timestamptz
  from gone g
  where c.row_id = g.row_id and g.is_other
  returning c.row_id
),
buried as (
  insert into governance_candidate_object as c (
    object_key, collection_name, entity_code, group_key, ruleset_version, inventory_key, scope, owner_scope,
    materialization_reason, reasons, birth_id, source_snapshot_ref, scan_time, stale_after, candidate_verdict, verdict_line,
    evidence, depends_on, risk_class, coverage_required, weight, input_hash, last_run_id, row_state, created_at, updated_at)
  select g.object_key, g.collection_name, g.entity_code, g.group_key, $4::text, g.inventory_key, g.scope, g.owner_scope,
    g.materialization_reason, g.reasons, g.birth_id, $3::bigint, $6::timestamptz, $6::timestamptz + g.ttl, 'retired', 3,
    '{"line": 3, "source_row_gone": true}', g.depends_on, g.risk_class, false, g.weight, g.input_hash, $5::text, 'retired',
    $6::timestamptz, $6::timestamptz
  from gone g
  where (select count(*) from superseded) >= 0
  order by g.object_key collate "C", g.scope collate "C"
  on conflict (object_key, scope, ruleset_version) do update
  set source_snapshot_ref = excluded.source_snapshot_ref, scan_time = excluded.scan_time, stale_after = excluded.stale_after,
    candidate_verdict = excluded.candidate_verdict, verdict_line = excluded.verdict_line, evidence = excluded.evidence,
    input_quality_state = null, dirty = false, dirty_reason = null, dirtied_at = null, recompute_status = 'ok',
    coverage_required = false, coverage_outcome = null, coverage_scan_ref = null, weight = excluded.weight, carried_from = null,
    last_run_id = excluded.last_run_id, row_state = excluded.row_state, updated_at = excluded.updated_at
  returning c.row_id, c.object_key, c.group_key, c.collection_name, c.entity_code, c.scope, c.source_snapshot_ref, c.scan_time
),
history as (
  insert into governance_verdict_history (
    row_id, group_key, collection_name, entity_code, scope, ruleset_version, source_snapshot_ref, scan_time, verdict_before,
    verdict_after, outcome_before, outcome_after, verdict_line, cause, run_id, recorded_at)
  select b.row_id, b.group_key, b.collection_name, b.entity_code, b.scope, $4::text, b.source_snapshot_ref, b.scan_time,
    g.verdict_before, 'retired', g.outcome_before, null, 3, 'source_row_gone', $5::text, $6::timestamptz
  from buried b
  join gone g on g.object_key = b.object_key and g.scope = b.scope
  where g.verdict_before <> 'retired' or g.outcome_before is not null
  order by b.row_id
  returning history_id
)
select (select count(distinct b.object_key) from buried b) as objects, (select count(*) from history) as recorded
