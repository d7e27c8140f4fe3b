-- Gives every live row a successor under the newly active ruleset, in a fixed number of statements. Rows
-- that the change of rules does not reach are carried with verdict, evidence, snapshot, time and expiry
-- unchanged. Rows that it reaches (p_reached, keys of groups) become dirty. If the version has judged
-- them before with the same inputs (p_known, with the current hashes), the earlier row becomes active
-- again. If that row differs from the verdict valid until now, it becomes dirty too: its links may have
-- changed since, and findings follow the last evaluation. Rows that were dirty for another reason stay
-- dirty. Old rows become superseded. Nothing is evaluated. The function runs as its owner, because the
-- role that activates may not write these tables; it accepts only a call after an activation.
create function {{trust}}.gcos_carry_forward(
  p_from text, p_to text, p_reached text[], p_known text[], p_group_hashes text[], p_basis_hashes text[], p_at timestamptz,
  p_run_id text)
returns table (
  groups_carried bigint, groups_dirtied bigint, groups_reused bigint, objects_carried bigint, objects_dirtied bigint,
  objects_reused bigint)
language plpgsql
rows 1
security definer
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $gcos_function$
#variable_conflict use_column
declare
  live_ids bigint[];
  retired_ids bigint[];
  reached_ids bigint[];
  reused_ids bigint[];
  clean bigint;
begin
  if not exists (
    select from {{trust}}.governance_ruleset r
    join {{trust}}.governance_ruleset o on o.family = r.family and o.ruleset_version = p_from and o.status = 'superseded'
    where r.ruleset_version = p_to and r.status = 'active' and r.supersedes = p_from) then
    raise exception 'the active ruleset does not supersede the ruleset from which verdicts are carried'
      using errcode = 'object_not_in_prerequisite_state';
  end if;

  -- Groups.
  select array_agg(c.row_id), array_agg(c.row_id) filter (where c.row_state = 'retired'),
    array_agg(c.row_id) filter (where g.group_key = any (p_reached))
  into live_ids, retired_ids, reached_ids
  from {{schema}}.governance_candidate_state c
  left join {{schema}}.governance_group g on g.inventory_key = c.inventory_key and g.scope = c.scope
  where c.row_state in ('active', 'retired') and c.ruleset_version = p_from;

  update {{schema}}.governance_candidate_state c
  set row_state = 'superseded', updated_at = p_at
  where c.row_id = any (live_ids);

  with reused as (
    update {{schema}}.governance_candidate_state p
    set row_state = 'active', updated_at = p_at, dirty = p.dirty or o.dirty or d.differs,
      dirty_reason = case when d.differs then 'ruleset_bump'
        when o.dirty and (not p.dirty or {{trust}}.gcos_only_moved(p.dirty_reason)) then o.dirty_reason else p.dirty_reason end,
      dirtied_at = coalesce(p.dirtied_at, o.dirtied_at, case when d.differs then p_at end)
    from {{schema}}.governance_candidate_state o
    cross join unnest(p_known, p_group_hashes) as k(group_key, input_hash)
    join {{schema}}.governance_candidate_state q on q.group_key = o.group_key and q.ruleset_version = p_to
    cross join lateral (select (q.candidate_verdict, q.coverage_outcome, q.coverage_evidence)
      is distinct from (o.candidate_verdict, o.coverage_outcome, o.coverage_evidence) as differs) as d
    where o.row_id = any (reached_ids) and (o.row_id = any (retired_ids)) is not true and k.group_key = o.group_key
      and p.row_id = q.row_id and p.input_hash = k.input_hash
    returning o.row_id as old_id, p.dirty, p.row_id, p.group_key, p.scope, p.source_snapshot_ref, p.scan_time, p.candidate_verdict,
      p.coverage_outcome, p.verdict_line, o.candidate_verdict as verdict_before, o.coverage_outcome as outcome_before
  ),
  history as (
    insert into {{schema}}.governance_verdict_history (
      row_id, group_key, scope, ruleset_version, source_snapshot_ref, scan_time, verdict_before, verdict_after, outcome_before,
      outcome_after, verdict_line, cause, run_id, recorded_at)
    select r.row_id, r.group_key, r.scope, p_to, r.source_snapshot_ref, r.scan_time, r.verdict_before, r.candidate_verdict,
      r.outcome_before, r.coverage_outcome, r.verdict_line, 'ruleset_bump', p_run_id, p_at
    from reused r
    where r.verdict_before <> r.candidate_verdict or r.outcome_before is distinct from r.coverage_outcome
    order by r.row_id
  )
  select array_agg(r.old_id), count(*) filter (where not r.dirty) into reused_ids, clean from reused r;
  groups_reused := clean;

  insert into {{schema}}.governance_candidate_state as c (
    group_key, ruleset_version, inventory_key, scope, owner_scope, source_snapshot_ref, scan_time, stale_after,
    candidate_verdict, verdict_line, evidence, input_quality_state, input_quality_ref, dirty, dirty_reason, dirtied_at,
    depends_on, recompute_status, risk_class, coverage_required, coverage_outcome, coverage_scan_ref, coverage_evidence, weight, input_hash,
    evidence_fingerprint, carried_from, issue_ref, last_run_id, row_state, created_at, updated_at)
  select o.group_key, p_to, o.inventory_key, o.scope, o.owner_scope, o.source_snapshot_ref, o.scan_time, o.stale_after,
    o.candidate_verdict, o.verdict_line, o.evidence, o.input_quality_state, o.input_quality_ref,
    o.dirty or i.reached, case when o.dirty then o.dirty_reason when i.reached then 'ruleset_bump' end,
    case when o.dirty then o.dirtied_at when i.reached then p_at end,
    o.depends_on, o.recompute_status, o.risk_class, o.coverage_required, o.coverage_outcome, o.coverage_scan_ref, o.coverage_evidence, o.weight,
    o.input_hash, o.evidence_fingerprint, p_from, o.issue_ref, o.last_run_id,
    case when (o.row_id = any (retired_ids)) is true then 'retired' else 'active' end, p_at, p_at
  from {{schema}}.governance_candidate_state o
  cross join lateral (select (o.row_id = any (reached_ids)) is true as reached) as i
  where o.row_id = any (live_ids) and (o.row_id = any (reused_ids)) is not true
  order by o.inventory_key collate "C", o.scope collate "C"
  on conflict (group_key, ruleset_version) do update
  set inventory_key = excluded.inventory_key, scope = excluded.scope, owner_scope = excluded.owner_scope,
    source_snapshot_ref = excluded.source_snapshot_ref, scan_time = excluded.scan_time, stale_after = excluded.stale_after,
    candidate_verdict = excluded.candidate_verdict, verdict_line = excluded.verdict_line, evidence = excluded.evidence,
    input_quality_state = excluded.input_quality_state, input_quality_ref = excluded.input_quality_ref, dirty = excluded.dirty,
    dirty_reason = excluded.dirty_reason, dirtied_at = excluded.dirtied_at, depends_on = excluded.depends_on,
    recompute_status = excluded.recompute_status, risk_class = excluded.risk_class,
    coverage_required = excluded.coverage_required, coverage_outcome = excluded.coverage_outcome,
    coverage_scan_ref = excluded.coverage_scan_ref, coverage_evidence = excluded.coverage_evidence, weight = excluded.weight, input_hash = excluded.input_hash,
    evidence_fingerprint = excluded.evidence_fingerprint, carried_from = excluded.carried_from, issue_ref = excluded.issue_ref,
    last_run_id = excluded.last_run_id, row_state = excluded.row_state,
    updated_at = excluded.updated_at;
  groups_dirtied := coalesce(cardinality(reached_ids), 0) - groups_reused;
  groups_carried := coalesce(cardinality(live_ids), 0) - coalesce(cardinality(reached_ids), 0);

  -- Objects, by their groups.
  select array_agg(c.row_id), array_agg(c.row_id) filter (where c.row_state = 'retired'),
    array_agg(c.row_id) filter (where g.group_key = any (p_reached))
  into live_ids, retired_ids, reached_ids
  from {{schema}}.governance_candidate_object c
  left join {{schema}}.governance_group g on g.inventory_key = c.inventory_key and g.scope = c.scope
  where c.row_state in ('active', 'retired') and c.ruleset_version = p_from;

  update {{schema}}.governance_candidate_object c
  set row_state = 'superseded', updated_at = p_at
  where c.row_id = any (live_ids);

  with reused as (
    update {{schema}}.governance_candidate_object p
    set row_state = 'active', updated_at = p_at, dirty = p.dirty or o.dirty or d.differs,
      dirty_reason = case when d.differs then 'ruleset_bump'
        when o.dirty and (not p.dirty or {{trust}}.gcos_only_moved(p.dirty_reason)) then o.dirty_reason else p.dirty_reason end,
      dirtied_at = coalesce(p.dirtied_at, o.dirtied_at, case when d.differs then p_at end)
    from {{schema}}.governance_candidate_object o
    cross join unnest(p_known, p_basis_hashes) as k(group_key, basis_hash)
    join {{schema}}.governance_candidate_object q on q.object_key = o.object_key and q.scope = o.scope and q.ruleset_version = p_to
    cross join lateral (select (q.candidate_verdict, q.coverage_outcome, q.coverage_evidence)
      is distinct from (o.candidate_verdict, o.coverage_outcome, o.coverage_evidence) as differs) as d
    where o.row_id = any (reached_ids) and (o.row_id = any (retired_ids)) is not true and k.group_key = o.group_key
      and p.row_id = q.row_id and p.group_key = o.group_key and p.birth_id is not distinct from o.birth_id and p.reasons = o.reasons
      -- The object's own inputs are unchanged; the inputs shared with its group are the current ones.
      and p.input_hash = k.basis_hash || '.' || split_part(o.input_hash, '.', 2)
    returning o.row_id as old_id, p.dirty, p.row_id, p.group_key, p.collection_name, p.entity_code, p.scope, p.source_snapshot_ref,
      p.scan_time, p.candidate_verdict, p.coverage_outcome, p.verdict_line, o.candidate_verdict as verdict_before,
      o.coverage_outcome as outcome_before
  ),
  history as (
    insert into {{schema}}.governance_verdict_history (
      row_id, group_key, collection_name, entity_code, scope, ruleset_version, source_snapshot_ref, scan_time, verdict_before,
      verdict_after, outcome_before, outcome_after, verdict_line, cause, run_id, recorded_at)
    select r.row_id, r.group_key, r.collection_name, r.entity_code, r.scope, p_to, r.source_snapshot_ref, r.scan_time,
      r.verdict_before, r.candidate_verdict, r.outcome_before, r.coverage_outcome, r.verdict_line, 'ruleset_bump', p_run_id, p_at
    from reused r
    where r.verdict_before <> r.candidate_verdict or r.outcome_before is distinct from r.coverage_outcome
    order by r.row_id
  )
  select array_agg(r.old_id), count(*) filter (where not r.dirty) into reused_ids, clean from reused r;
  objects_reused := clean;

  insert into {{schema}}.governance_candidate_object as c (
    object_key, collection_name, entity_code, group_key, ruleset_version, inventory_key, scope, owner_scope,
    materialization_reason, reasons, birth_id, source_snapshot_ref, scan_time, stale_after, candidate_verdict, verdict_line,
    evidence, input_quality_state, input_quality_ref, dirty, dirty_reason, dirtied_at, depends_on, recompute_status, risk_class,
    coverage_required, coverage_outcome, coverage_scan_ref, coverage_evidence, weight, input_hash, evidence_fingerprint, carried_from, issue_ref,
    last_run_id, row_state, created_at, updated_at)
  select o.object_key, o.collection_name, o.entity_code, o.group_key, p_to, o.inventory_key, o.scope, o.owner_scope,
    o.materialization_reason, o.reasons, o.birth_id, o.source_snapshot_ref, o.scan_time, o.stale_after, o.candidate_verdict,
    o.verdict_line, o.evidence, o.input_quality_state, o.input_quality_ref, o.dirty or i.reached,
    case when o.dirty then o.dirty_reason when i.reached then 'ruleset_bump' end,
    case when o.dirty then o.dirtied_at when i.reached then p_at end, o.depends_on, o.recompute_status, o.risk_class,
    o.coverage_required, o.coverage_outcome, o.coverage_scan_ref, o.coverage_evidence, o.weight, o.input_hash, o.evidence_fingerprint, p_from,
    o.issue_ref, o.last_run_id, case when (o.row_id = any (retired_ids)) is true then 'retired' else 'active' end,
    p_at, p_at
  from {{schema}}.governance_candidate_object o
  cross join lateral (select (o.row_id = any (reached_ids)) is true as reached) as i
  where o.row_id = any (live_ids) and (o.row_id = any (reused_ids)) is not true
  order by o.object_key collate "C", o.scope collate "C"
  on conflict (object_key, scope, ruleset_version) do update
  set group_key = excluded.group_key, inventory_key = excluded.inventory_key, owner_scope = excluded.owner_scope,
    materialization_reason = excluded.materialization_reason, reasons = excluded.reasons, birth_id = excluded.birth_id,
    source_snapshot_ref = excluded.source_snapshot_ref, scan_time = excluded.scan_time, stale_after = excluded.stale_after,
    candidate_verdict = excluded.candidate_verdict, verdict_line = excluded.verdict_line, evidence = excluded.evidence,
    input_quality_state = excluded.input_quality_state, input_quality_ref = excluded.input_quality_ref, dirty = excluded.dirty,
    dirty_reason = excluded.dirty_reason, dirtied_at = excluded.dirtied_at, depends_on = excluded.depends_on,
    recompute_status = excluded.recompute_status, risk_class = excluded.risk_class,
    coverage_required = excluded.coverage_required, coverage_outcome = excluded.coverage_outcome,
    coverage_scan_ref = excluded.coverage_scan_ref, coverage_evidence = excluded.coverage_evidence, weight = excluded.weight, input_hash = excluded.input_hash,
    evidence_fingerprint = excluded.evidence_fingerprint, carried_from = excluded.carried_from, issue_ref = excluded.issue_ref,
    last_run_id = excluded.last_run_id, row_state = excluded.row_state,
    updated_at = excluded.updated_at;
  objects_dirtied := coalesce(cardinality(reached_ids), 0) - objects_reused;
  objects_carried := coalesce(cardinality(live_ids), 0) - coalesce(cardinality(reached_ids), 0);
  return next;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_carry_forward(text, text, text[], text[], text[], text[], timestamptz, text) from public;
grant execute on function {{trust}}.gcos_carry_forward(text, text, text[], text[], text[], text[], timestamptz, text) to {{worker}}, {{api}};
