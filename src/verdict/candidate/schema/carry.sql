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

-- What an activation carries, in pages. Every live row under the superseded ruleset gets a successor under
-- the active one. Rows that the change of rules does not reach are carried with verdict, evidence, snapshot,
-- time and expiry unchanged. Rows that it reaches, and rows whose group is unknown, become dirty. Rows that
-- were dirty for another reason stay dirty. Old rows become superseded. Open findings of groups that the
-- change does not reach are stamped with the new ruleset. Nothing is evaluated. Only the activation calls
-- these functions: the role that activates may not write these tables. Each takes one page, after a key, and
-- returns the last key of the page. INVARIANT: a page locks its rows before it copies them, so that what a
-- worker commits until then, a mark above all, is carried, too.

-- The groups that the change reaches, as parallel arrays in the order of their keys.
create function {{trust}}.gcos_reach_to_carry(p_from text, p_to text)
returns table (inventory_keys text[], scopes text[])
language plpgsql
rows 1
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
#variable_conflict use_column
begin
  perform {{trust}}.gcos_require_owner();
  if not exists (
    select from {{trust}}.governance_ruleset r
    join {{trust}}.governance_ruleset o on o.family = r.family and o.ruleset_version = p_from and o.status = 'superseded'
    where r.ruleset_version = p_to and r.status = 'active' and r.supersedes = p_from) then
    raise exception 'the active ruleset does not supersede the ruleset from which verdicts are carried'
      using errcode = 'object_not_in_prerequisite_state';
  end if;
  -- Of the stored rulesets, not of the tables.
  return query
  select coalesce(array_agg(r.inventory_key order by r.inventory_key, r.scope), '{}'),
    coalesce(array_agg(r.scope order by r.inventory_key, r.scope), '{}')
  from {{trust}}.gcos_reached_groups(p_from, p_to) r;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_reach_to_carry(text, text) from public;
grant execute on function {{trust}}.gcos_reach_to_carry(text, text) to {{trust_owner}};

create function {{trust}}.gcos_carry_groups(p_from text, p_to text, p_at timestamptz, p_reached_keys text[], p_reached_scopes text[],
  p_after_key text, p_after_scope text, p_rows integer)
returns table (rows_read bigint, dirtied bigint, last_key text, last_scope text)
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
begin
  perform {{trust}}.gcos_require_owner();
  select array_agg(c.row_id), array_agg(c.row_id) filter (where c.row_state = 'retired'),
    array_agg(c.row_id) filter (where r.inventory_key is not null or g.inventory_key is null),
    (array_agg(c.inventory_key order by c.inventory_key desc, c.scope desc))[1], (array_agg(c.scope order by c.inventory_key desc, c.scope desc))[1]
  into live_ids, retired_ids, reached_ids, last_key, last_scope
  from (
    select l.row_id, l.inventory_key, l.scope, l.row_state
    from {{schema}}.governance_candidate_state l
    where l.row_state in ('active', 'retired') and l.ruleset_version = p_from and (l.inventory_key, l.scope) > (p_after_key, p_after_scope)
    order by l.inventory_key, l.scope
    limit p_rows
    for update
  ) as c
  left join {{schema}}.governance_group g on g.inventory_key = c.inventory_key and g.scope = c.scope
  left join unnest(p_reached_keys, p_reached_scopes) as r(inventory_key, scope) on r.inventory_key = c.inventory_key and r.scope = c.scope;

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
    o.dirty or p.reached, case when o.dirty then o.dirty_reason when p.reached then 'ruleset_bump' end,
    case when o.dirty then o.dirtied_at when p.reached then p_at end,
    o.depends_on, o.recompute_status, o.risk_class, o.coverage_required, o.coverage_outcome, o.coverage_scan_ref, o.coverage_evidence, o.weight,
    o.input_hash, o.evidence_fingerprint, p_from, o.issue_ref, o.last_run_id, case when (o.row_id = any (retired_ids)) is true then 'retired' else 'active' end,
    p_at, p_at
  from {{schema}}.governance_candidate_state o
  cross join lateral (select (o.row_id = any (reached_ids)) is true as reached) as p
  where o.row_id = any (live_ids)
  order by o.inventory_key, o.scope
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

  rows_read := coalesce(cardinality(live_ids), 0);
  dirtied := coalesce(cardinality(reached_ids), 0);
  return next;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_carry_groups(text, text, timestamptz, text[], text[], text, text, integer) from public;
grant execute on function {{trust}}.gcos_carry_groups(text, text, timestamptz, text[], text[], text, text, integer) to {{trust_owner}};

-- Objects are reached by their groups.
create function {{trust}}.gcos_carry_objects(p_from text, p_to text, p_at timestamptz, p_reached_keys text[], p_reached_scopes text[],
  p_after_key text, p_after_scope text, p_rows integer)
returns table (rows_read bigint, dirtied bigint, last_key text, last_scope text)
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
begin
  perform {{trust}}.gcos_require_owner();
  select array_agg(c.row_id), array_agg(c.row_id) filter (where c.row_state = 'retired'),
    array_agg(c.row_id) filter (where r.inventory_key is not null or g.inventory_key is null),
    (array_agg(c.object_key order by c.object_key desc, c.scope desc))[1], (array_agg(c.scope order by c.object_key desc, c.scope desc))[1]
  into live_ids, retired_ids, reached_ids, last_key, last_scope
  from (
    select l.row_id, l.object_key, l.scope, l.row_state, l.inventory_key
    from {{schema}}.governance_candidate_object l
    where l.row_state in ('active', 'retired') and l.ruleset_version = p_from and (l.object_key, l.scope) > (p_after_key, p_after_scope)
    order by l.object_key, l.scope
    limit p_rows
    for update
  ) as c
  left join {{schema}}.governance_group g on g.inventory_key = c.inventory_key and g.scope = c.scope
  left join unnest(p_reached_keys, p_reached_scopes) as r(inventory_key, scope) on r.inventory_key = c.inventory_key and r.scope = c.scope;

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
    o.verdict_line, o.evidence, o.input_quality_state, o.input_quality_ref, o.dirty or p.reached,
    case when o.dirty then o.dirty_reason when p.reached then 'ruleset_bump' end,
    case when o.dirty then o.dirtied_at when p.reached then p_at end, o.depends_on, o.recompute_status, o.risk_class,
    o.coverage_required, o.coverage_outcome, o.coverage_scan_ref, o.coverage_evidence, o.weight, o.input_hash, o.evidence_fingerprint, p_from,
    o.issue_ref, o.last_run_id, case when (o.row_id = any (retired_ids)) is true then 'retired' else 'active' end,
    p_at, p_at
  from {{schema}}.governance_candidate_object o
  cross join lateral (select (o.row_id = any (reached_ids)) is true as reached) as p
  where o.row_id = any (live_ids)
  order by o.object_key, o.scope
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

  rows_read := coalesce(cardinality(live_ids), 0);
  dirtied := coalesce(cardinality(reached_ids), 0);
  return next;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_carry_objects(text, text, timestamptz, text[], text[], text, text, integer) from public;
grant execute on function {{trust}}.gcos_carry_objects(text, text, timestamptz, text[], text[], text, text, integer) to {{trust_owner}};

-- Stamps the open findings of groups that the change does not reach. By inventory group and scope, not by the
-- key of the row: after a change of owner the row keeps its old key until the next evaluation.
create function {{trust}}.gcos_carry_findings(p_from text, p_to text, p_reached_keys text[], p_reached_scopes text[], p_after_key text,
  p_rows integer)
returns table (rows_read bigint, stamped bigint, last_key text)
language plpgsql
rows 1
security definer
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $gcos_function$
#variable_conflict use_column
declare
  carried_scopes text[];
  page record;
begin
  perform {{trust}}.gcos_require_owner();
  carried_scopes := {{trust}}.gcos_ruleset_scopes(p_to);
  select count(*) as findings, max(f.coalesce_key) as last_key,
    array_agg(f.coalesce_key) filter (
      where f.ruleset = p_from and g.inventory_key is not null and r.inventory_key is null and g.scope = any (carried_scopes)) as carried
  into page
  from (
    select k.coalesce_key, k.subject, k.scope, k.ruleset
    from {{schema}}.governance_finding_key k
    where k.coalesce_key > p_after_key
    order by k.coalesce_key
    limit p_rows
  ) as f
  left join {{schema}}.governance_group g on g.inventory_key = f.subject and g.scope = f.scope
  left join unnest(p_reached_keys, p_reached_scopes) as r(inventory_key, scope) on r.inventory_key = f.subject and r.scope = f.scope;
  return query
  select page.findings, {{trust}}.gcos_restamp_findings(coalesce(page.carried, '{}'), p_from, p_to), page.last_key;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_carry_findings(text, text, text[], text[], text, integer) from public;
grant execute on function {{trust}}.gcos_carry_findings(text, text, text[], text[], text, integer) to {{trust_owner}};
