-- Writes what was decided about single objects: $1 to $5 are the objects, $6 to $21 what was decided per kind of object and scope,
-- $22 to $25 the owners that objects have of their own. Rows that are equal and hold are not touched, as with groups. A second
-- birth of a key does not replace the first, and only who has looked at all births ($31) knows whether a key has one birth. A
-- verdict that is withheld replaces none, and is dirty from the start.
with o as materialized (
  select u.object_no, u.kind_no, u.collection_name, u.entity_code, u.birth_id, string_to_array(u.reasons, ',') as reasons,
    gcos_object_key(u.collection_name, u.entity_code) as object_key
  from unnest($1::int4[], $2::text[], $3::text[], $4::bigint[], $5::text[])
    with ordinality as u(kind_no, collection_name, entity_code, birth_id, reasons, object_no)
),
n as (
  select o.object_key, o.collection_name, o.entity_code, o.birth_id, o.reasons, d.scope, d.inventory_key, d.group_key, d.verdict,
    d.line, d.evidence::jsonb as evidence, d.input_state, d.risk_class, d.coverage_required, d.ttl_seconds, d.weight,
    case when w.object_no is null then d.owner_scope else w.owner_scope end as owner_scope,
    d.basis_hash || '.' || coalesce(w.own_hash, d.own_hash) as input_hash,
    d.depends_on::jsonb || case when w.object_no is null then '{}'
      else jsonb_build_object('owners', array_remove(array[w.owner_scope], null)) end as depends_on
  from o
  join unnest($6::int4[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::int4[], $13::text[], $14::text[],
    $15::text[], $16::text[], $17::boolean[], $18::bigint[], $19::int4[], $20::text[], $21::text[])
    as d(kind_no, scope, inventory_key, group_key, owner_scope, verdict, line, evidence, input_state, depends_on, risk_class,
      coverage_required, ttl_seconds, weight, basis_hash, own_hash)
    on d.kind_no = o.kind_no
  left join unnest($22::int4[], $23::text[], $24::text[], $25::text[]) as w(object_no, scope, owner_scope, own_hash)
    on w.object_no = o.object_no and w.scope = d.scope
),
compared as (
  select n.object_key, n.collection_name, n.entity_code, n.birth_id, n.scope, n.inventory_key, n.group_key, n.owner_scope,
    n.verdict, n.line, n.evidence, n.input_state, n.risk_class, n.coverage_required, n.ttl_seconds, n.weight, n.input_hash,
    n.depends_on,
    -- What others asked for stays; what the inventory itself says is said anew.
    n.reasons || array(
      select r.reason from unnest(c.reasons) as r(reason)
      where c.row_state = 'active' and r.reason not in ('input', 'independent') and r.reason <> all (n.reasons)) as reasons,
    c.row_id as live_id, c.ruleset_version is distinct from $27::text as is_other, c.candidate_verdict as verdict_before,
    c.coverage_outcome as outcome_before, c.coverage_scan_ref as scan_ref_before, c.row_state as state_before,
    c.reasons as reasons_before,
    coalesce((c.input_hash, c.candidate_verdict, c.verdict_line, c.row_state, c.weight, c.ruleset_version, c.inventory_key)
      = (n.input_hash, n.verdict, n.line, 'active', n.weight, $27::text, n.inventory_key)
      and c.birth_id is not distinct from n.birth_id and c.group_key = n.group_key, false) as same,
    coalesce(c.dirty or c.recompute_status <> 'ok' or c.stale_after <= $29::timestamptz or s.id is null, true) as lapsed
  from n
  -- Through the index, whatever the statistics say: before the first ANALYZE a join by scope alone looked cheap, and was quadratic.
  left join lateral (
    select l.row_id, l.ruleset_version, l.inventory_key, l.group_key, l.birth_id, l.reasons, l.row_state, l.candidate_verdict,
      l.verdict_line, l.coverage_outcome, l.coverage_scan_ref, l.weight, l.input_hash, l.input_quality_state, l.dirty,
      l.recompute_status, l.stale_after, l.source_snapshot_ref
    from governance_candidate_object l
    where l.object_key = n.object_key and l.scope = n.scope and l.row_state in ('active', 'retired')
    limit 1
  ) as c on true
  left join evolution_snapshots s on s.id = c.source_snapshot_ref
  where (c.row_state = 'active' and not $31::boolean
    and (c.birth_id < n.birth_id or c.input_quality_state in ('duplicate', 'conflict')
      and coalesce(n.input_state, '') not in ('invalid_schema', 'incomplete_input', 'untrusted_source'))) is not true
    and (c.row_id is null or not starts_with(n.input_hash, 'withheld'))
),
differing as (
  select c.object_key, c.collection_name, c.entity_code, c.birth_id, c.scope, c.inventory_key, c.group_key, c.owner_scope,
    c.verdict, c.line, c.evidence, c.input_state, c.risk_class, c.coverage_required, c.ttl_seconds, c.weight, c.input_hash,
    c.depends_on, c.reasons, c.live_id, c.is_other, c.verdict_before, c.outcome_before, c.scan_ref_before,
    c.same and c.reasons = c.reasons_before as same
  from compared c
  where c.lapsed or not c.same or c.reasons is distinct from c.reasons_before
),
superseded as (
  update governance_candidate_object c
  set row_state = 'superseded', updated_at = $29::timestamptz
  from differing d
  where c.row_id = d.live_id and d.is_other
  returning c.row_id
),
written as (
  insert into governance_candidate_object as c (
    object_key, collection_name, entity_code, group_key, ruleset_version, inventory_key, scope, owner_scope,
    materialization_reason, reasons, birth_id, source_snapshot_ref, scan_time, stale_after, candidate_verdict, verdict_line,
    evidence, input_quality_state, dirty, dirty_reason, dirtied_at, depends_on, risk_class, coverage_required, coverage_outcome,
    coverage_scan_ref, weight, input_hash, last_run_id, row_state, created_at, updated_at)
  select d.object_key, d.collection_name, d.entity_code, d.group_key, $27::text, d.inventory_key, d.scope, d.owner_scope,
    d.reasons[1], d.reasons, d.birth_id, $26::bigint, $29::timestamptz,
    $29::timestamptz + make_interval(secs => d.ttl_seconds * gcos_spread(d.object_key)), d.verdict, d.line, d.evidence, d.input_state,
    starts_with(d.input_hash, 'withheld'), case when starts_with(d.input_hash, 'withheld') then 'withheld' end,
    case when starts_with(d.input_hash, 'withheld') then $29::timestamptz end, d.depends_on, d.risk_class, d.coverage_required,
    case when d.coverage_required then case when d.same then coalesce(d.outcome_before, 'not_evaluated') else 'not_evaluated' end end,
    case when d.coverage_required and d.same then d.scan_ref_before end,
    d.weight, d.input_hash, $28::text, 'active', $29::timestamptz, $29::timestamptz
  from differing d
  -- Reads all of it: nothing is inserted before everything it takes the place of is superseded.
  where (select count(*) from superseded) >= 0
  order by d.object_key collate "C", d.scope collate "C"
  on conflict (object_key, scope, ruleset_version) do update
  set group_key = excluded.group_key, inventory_key = excluded.inventory_key, owner_scope = excluded.owner_scope,
    materialization_reason = excluded.materialization_reason, reasons = excluded.reasons, birth_id = excluded.birth_id,
    source_snapshot_ref = excluded.source_snapshot_ref, scan_time = excluded.scan_time, stale_after = excluded.stale_after,
    candidate_verdict = excluded.candidate_verdict, verdict_line = excluded.verdict_line, evidence = excluded.evidence,
    input_quality_state = excluded.input_quality_state, dirty = excluded.dirty,
    dirty_reason = excluded.dirty_reason, dirtied_at = excluded.dirtied_at, depends_on = excluded.depends_on, recompute_status = 'ok', risk_class = excluded.risk_class,
    coverage_required = excluded.coverage_required, coverage_outcome = excluded.coverage_outcome,
    coverage_scan_ref = excluded.coverage_scan_ref,
    -- What was found of links is over with the question.
    coverage_evidence = case when excluded.coverage_required then c.coverage_evidence end, weight = excluded.weight, input_hash = excluded.input_hash,
    carried_from = null, last_run_id = excluded.last_run_id, row_state = excluded.row_state, updated_at = excluded.updated_at
  returning c.row_id, c.object_key, c.collection_name, c.entity_code, c.group_key, c.scope, c.source_snapshot_ref, c.scan_time,
    c.candidate_verdict, c.coverage_outcome, c.verdict_line, (xmax = 0) as created
),
history as (
  insert into governance_verdict_history (
    row_id, group_key, collection_name, entity_code, scope, ruleset_version, source_snapshot_ref, scan_time, verdict_before,
    verdict_after, outcome_before, outcome_after, verdict_line, cause, run_id, recorded_at)
  select w.row_id, w.group_key, w.collection_name, w.entity_code, w.scope, $27::text, w.source_snapshot_ref, w.scan_time,
    d.verdict_before, w.candidate_verdict, d.outcome_before, w.coverage_outcome, w.verdict_line, $30::text, $28::text,
    $29::timestamptz
  from written w
  join differing d on d.object_key = w.object_key and d.scope = w.scope
  where d.verdict_before is distinct from w.candidate_verdict or d.outcome_before is distinct from w.coverage_outcome
  order by w.row_id
  returning history_id
)
select
  (select count(*) from written w where w.created) as inserted,
  (select count(*) from written w join differing d on d.object_key = w.object_key and d.scope = w.scope
    where not w.created and not d.same) as changed,
  (select count(*) from written w join differing d on d.object_key = w.object_key and d.scope = w.scope
    where not w.created and d.same) as renewed,
  (select count(*) from superseded) as superseded,
  (select count(*) from history) as recorded
