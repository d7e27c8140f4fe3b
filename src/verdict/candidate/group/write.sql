-- Writes what was decided about groups: new rows, and rows that are dirty, expired, of other rules, without their snapshot, or no
-- longer what follows from their inputs. A row that is equal and holds is not touched. A row under another key or ruleset is
-- superseded first, in this statement: there is one live row per inventory group and scope. Every change of a verdict goes
-- into the history. A verdict that is withheld replaces none, and is dirty from the start.
with n as (
  select u.group_key, u.inventory_key, u.scope, u.owner_scope, u.verdict, u.line, u.evidence::jsonb as evidence,
    u.depends_on::jsonb as depends_on, u.risk_class, u.coverage_required, u.ttl_seconds, u.weight, u.input_hash, u.row_state,
    u.input_state
  from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::int4[], $7::text[], $8::text[], $9::text[],
    $10::boolean[], $11::bigint[], $12::int4[], $13::text[], $14::text[], $15::text[])
    as u(group_key, inventory_key, scope, owner_scope, verdict, line, evidence, depends_on, risk_class, coverage_required,
      ttl_seconds, weight, input_hash, row_state, input_state)
),
differing as (
  select n.group_key, n.inventory_key, n.scope, n.owner_scope, n.verdict, n.line, n.evidence, n.depends_on, n.risk_class,
    n.coverage_required, n.ttl_seconds, n.weight, n.input_hash, n.row_state, n.input_state, c.row_id as live_id,
    (c.group_key, c.ruleset_version) is distinct from (n.group_key, $17::text) as is_other,
    c.candidate_verdict as verdict_before, c.coverage_outcome as outcome_before, c.coverage_scan_ref as scan_ref_before,
    coalesce((c.input_hash, c.candidate_verdict, c.verdict_line, c.row_state, c.weight, c.ruleset_version)
      = (n.input_hash, n.verdict, n.line, n.row_state, n.weight, $17::text), false) as same
  from n
  -- Through the index, whatever the statistics say: before the first ANALYZE a join by scope alone looks cheap, and is quadratic.
  left join lateral (
    select l.row_id, l.group_key, l.ruleset_version, l.owner_scope, l.source_snapshot_ref, l.stale_after, l.candidate_verdict,
      l.verdict_line, l.dirty, l.recompute_status, l.risk_class, l.coverage_outcome, l.coverage_scan_ref, l.weight, l.input_hash,
      l.row_state
    from governance_candidate_state l
    where l.inventory_key = n.inventory_key and l.scope = n.scope and l.row_state in ('active', 'retired')
    limit 1
  ) as c on true
  left join evolution_snapshots s on s.id = c.source_snapshot_ref
  where c.row_id is null or not starts_with(n.input_hash, 'withheld') and (c.group_key <> n.group_key
    or c.ruleset_version <> $17::text or c.input_hash <> n.input_hash or c.candidate_verdict <> n.verdict or c.verdict_line <> n.line
    or c.row_state <> n.row_state or c.weight <> n.weight or c.risk_class <> n.risk_class
    or c.owner_scope is distinct from n.owner_scope or c.dirty or c.recompute_status <> 'ok'
    or c.stale_after <= $19::timestamptz or s.id is null)
),
superseded as (
  update governance_candidate_state c
  set row_state = 'superseded', updated_at = $19::timestamptz
  from differing d
  where c.row_id = d.live_id and d.is_other
  returning c.row_id
),
written as (
  insert into governance_candidate_state as c (
    group_key, ruleset_version, inventory_key, scope, owner_scope, source_snapshot_ref, scan_time, stale_after,
    candidate_verdict, verdict_line, evidence, input_quality_state, dirty, dirty_reason, dirtied_at, depends_on, risk_class,
    coverage_required, coverage_outcome, coverage_scan_ref, weight, input_hash, last_run_id, row_state, created_at, updated_at)
  select d.group_key, $17::text, d.inventory_key, d.scope, d.owner_scope, $16::bigint, $19::timestamptz,
    $19::timestamptz + make_interval(secs => d.ttl_seconds * gcos_spread(d.group_key)), d.verdict, d.line, d.evidence, d.input_state,
    starts_with(d.input_hash, 'withheld'), case when starts_with(d.input_hash, 'withheld') then 'withheld' end,
    case when starts_with(d.input_hash, 'withheld') then $19::timestamptz end, d.depends_on, d.risk_class, d.coverage_required,
    case when d.coverage_required then case when d.same then coalesce(d.outcome_before, 'not_evaluated') else 'not_evaluated' end end,
    case when d.coverage_required and d.same then d.scan_ref_before end,
    d.weight, d.input_hash, $18::text, d.row_state, $19::timestamptz, $19::timestamptz
  from differing d
  -- Reads all of it: nothing is inserted before everything it takes the place of is superseded.
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
    -- What was found of links is over with the question.
    coverage_evidence = case when excluded.coverage_required then c.coverage_evidence end, weight = excluded.weight,
    input_hash = excluded.input_hash, carried_from = null, last_run_id = excluded.last_run_id, row_state = excluded.row_state,
    updated_at = excluded.updated_at
  returning c.row_id, c.group_key, c.scope, c.source_snapshot_ref, c.scan_time, c.candidate_verdict, c.coverage_outcome,
    c.verdict_line, (xmax = 0) as created
),
history as (
  insert into governance_verdict_history (
    row_id, group_key, scope, ruleset_version, source_snapshot_ref, scan_time, verdict_before, verdict_after, outcome_before,
    outcome_after, verdict_line, cause, run_id, recorded_at)
  select w.row_id, w.group_key, w.scope, $17::text, w.source_snapshot_ref, w.scan_time, d.verdict_before, w.candidate_verdict,
    d.outcome_before, w.coverage_outcome, w.verdict_line, $20::text, $18::text, $19::timestamptz
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
