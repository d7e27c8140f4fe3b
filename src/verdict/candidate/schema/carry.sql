-- The scopes that a stored ruleset names; `all` if it has none of its own.
create function {{trust}}.gcos_ruleset_scopes(p_version text)
returns text[]
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  return (
    select case when c.part ->> 'state' = 'present' then array(select s.row ->> 'scope_code' from jsonb_array_elements(c.part -> 'rows') as s(row))
      else array['all'] end
    from {{trust}}.governance_ruleset r
    cross join lateral jsonb_array_elements(convert_from(r.canonical_bytes, 'UTF8')::jsonb -> 'components') as c(part)
    where r.ruleset_version = p_version and c.part ->> 'component' = 'scopes');
end
$gcos_function$;
revoke all on function {{trust}}.gcos_ruleset_scopes(text) from public;

-- Gives every live row a successor under the newly active ruleset, in a fixed number of statements. Rows
-- that the change of rules does not reach are carried with verdict, evidence, snapshot, time and expiry
-- unchanged. Rows that it reaches, and rows whose group is unknown, become dirty. Rows that were dirty for
-- another reason stay dirty. Old rows become superseded. Open findings of groups that the change does not
-- reach are stamped with the new ruleset. Nothing is evaluated. Only the activation calls this function: the
-- role that activates may not write these tables, and what the change reaches comes from the stored rulesets.
create function {{trust}}.gcos_carry_forward(p_from text, p_to text, p_at timestamptz)
returns table (groups_carried bigint, groups_dirtied bigint, objects_carried bigint, objects_dirtied bigint, findings_stamped bigint)
language plpgsql
rows 1
security definer
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $gcos_function$
#variable_conflict use_column
declare
  reached_keys text[];
  reached_scopes text[];
  live_ids bigint[];
  retired_ids bigint[];
  reached_ids bigint[];
begin
  perform {{trust}}.gcos_require_owner();
  if not exists (
    select from {{trust}}.governance_ruleset r
    join {{trust}}.governance_ruleset o on o.family = r.family and o.ruleset_version = p_from and o.status = 'superseded'
    where r.ruleset_version = p_to and r.status = 'active' and r.supersedes = p_from) then
    raise exception 'the active ruleset does not supersede the ruleset from which verdicts are carried'
      using errcode = 'object_not_in_prerequisite_state';
  end if;

  select array_agg(r.inventory_key), array_agg(r.scope) into reached_keys, reached_scopes
  from {{trust}}.gcos_reached_groups(p_from, p_to) r;

  -- Groups.
  select array_agg(c.row_id), array_agg(c.row_id) filter (where c.row_state = 'retired'),
    array_agg(c.row_id) filter (where r.inventory_key is not null or g.inventory_key is null)
  into live_ids, retired_ids, reached_ids
  from {{schema}}.governance_candidate_state c
  left join {{schema}}.governance_group g on g.inventory_key = c.inventory_key and g.scope = c.scope
  left join unnest(reached_keys, reached_scopes) as r(inventory_key, scope) on r.inventory_key = c.inventory_key and r.scope = c.scope
  where c.row_state in ('active', 'retired') and c.ruleset_version = p_from;

  update {{schema}}.governance_candidate_state c
  set row_state = 'superseded', updated_at = p_at
  where c.row_id = any (live_ids);

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
  where o.row_id = any (live_ids)
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
  groups_dirtied := coalesce(cardinality(reached_ids), 0);
  groups_carried := coalesce(cardinality(live_ids), 0) - coalesce(cardinality(reached_ids), 0);

  -- Objects, by their groups.
  select array_agg(c.row_id), array_agg(c.row_id) filter (where c.row_state = 'retired'),
    array_agg(c.row_id) filter (where r.inventory_key is not null or g.inventory_key is null)
  into live_ids, retired_ids, reached_ids
  from {{schema}}.governance_candidate_object c
  left join {{schema}}.governance_group g on g.inventory_key = c.inventory_key and g.scope = c.scope
  left join unnest(reached_keys, reached_scopes) as r(inventory_key, scope) on r.inventory_key = c.inventory_key and r.scope = c.scope
  where c.row_state in ('active', 'retired') and c.ruleset_version = p_from;

  update {{schema}}.governance_candidate_object c
  set row_state = 'superseded', updated_at = p_at
  where c.row_id = any (live_ids);

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
  where o.row_id = any (live_ids)
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
  objects_dirtied := coalesce(cardinality(reached_ids), 0);
  objects_carried := coalesce(cardinality(live_ids), 0) - coalesce(cardinality(reached_ids), 0);

  -- By inventory group and scope, not by the key of the row: after a change of owner the row keeps its old
  -- key until the next evaluation.
  findings_stamped := {{trust}}.gcos_restamp_findings(carried.keys, carried.scopes, p_from, p_to)
  from (
    select coalesce(array_agg(g.inventory_key), '{}') as keys, coalesce(array_agg(g.scope), '{}') as scopes
    from {{schema}}.governance_group g
    left join unnest(reached_keys, reached_scopes) as r(inventory_key, scope) on r.inventory_key = g.inventory_key and r.scope = g.scope
    where r.inventory_key is null and g.scope = any ({{trust}}.gcos_ruleset_scopes(p_to))
  ) as carried;
  return next;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_carry_forward(text, text, timestamptz) from public;
grant execute on function {{trust}}.gcos_carry_forward(text, text, timestamptz) to {{trust_owner}};
