-- name: findFormerUnborn
-- Objects that had no birth and are no longer in :collections, :codes: born since, or removed from the
-- registry.
with former as materialized (
  select distinct o.collection_name, o.entity_code
  from governance_candidate_object o
  where o.birth_id is null and o.row_state = 'active'
    and o.object_key not in (
      select gcos_object_key(k.collection_name, k.code) from unnest(:collections::text[], :codes::text[]) as k(collection_name, code))
),
born as (
  select distinct f.collection_name, f.entity_code
  from former f
  join birth_registry b on b.collection_name = f.collection_name and b.entity_code = f.entity_code
)
select f.collection_name, f.entity_code, b.entity_code is not null as born
from former f
left join born b on b.collection_name = f.collection_name and b.entity_code = f.entity_code

-- name: findFormerDuplicates
-- Objects stored as duplicate or conflict that are no longer in :collections, :codes.
select distinct o.collection_name, o.entity_code
from governance_candidate_object o
where o.input_quality_state in ('duplicate', 'conflict') and o.row_state = 'active'
  and o.object_key not in (
    select gcos_object_key(k.collection_name, k.code) from unnest(:collections::text[], :codes::text[]) as k(collection_name, code))

-- name: readRowBounds
-- The first and the last row of objects.
-- nullable: first_id, last_id
select min(o.row_id) as first_id, max(o.row_id) as last_id from governance_candidate_object o

-- name: findMissing
-- In the rows from :first to :last: live objects whose birth no longer exists under its id, and tombstones
-- that are no longer valid at :at under :ruleset_version. `born`: another birth has the key. :collections
-- null: all collections.
-- nullable: :collections
with missing as materialized (
  select distinct o.collection_name, o.entity_code
  from governance_candidate_object o
  left join evolution_snapshots s on s.id = o.source_snapshot_ref
  where o.row_id >= :first::bigint and o.row_id <= :last::bigint
    and (:collections::text[] is null or o.collection_name = any (:collections::text[]))
    and (o.row_state = 'active' and o.birth_id is not null and not exists (
        select from birth_registry b
        where b.id = o.birth_id and b.collection_name = o.collection_name and b.entity_code = o.entity_code)
      or o.row_state = 'retired' and o.evidence ? 'source_row_gone'
        and (o.dirty or o.recompute_status <> 'ok' or o.stale_after <= :at::timestamptz or o.ruleset_version <> :ruleset_version::text
          or s.id is null))
),
born as (
  select distinct m.collection_name, m.entity_code
  from missing m
  join birth_registry b on b.collection_name = m.collection_name and b.entity_code = m.entity_code
)
select m.collection_name, m.entity_code, b.entity_code is not null as born
from missing m
left join born b on b.collection_name = m.collection_name and b.entity_code = m.entity_code

-- name: findLive
-- The objects among :collections, :codes that have a live row with a birth.
select distinct o.collection_name, o.entity_code
from unnest(:collections::text[], :codes::text[]) as k(collection_name, code)
join governance_candidate_object o on o.object_key = gcos_object_key(k.collection_name, k.code)
where o.row_state = 'active' and o.birth_id is not null

-- name: countDue
-- The number of groups (:inventory_keys, :scopes) with an object row that is no longer valid at :at under
-- :ruleset_version, or was derived from another basis than the current one (:basis_hashes). The look-up
-- uses the index per group, because these tables may have no statistics yet.
select count(*) as groups
from unnest(:inventory_keys::text[], :scopes::text[], :basis_hashes::text[]) as k(inventory_key, scope, basis_hash)
cross join lateral (
  select o.row_id
  from governance_candidate_object o
  where o.inventory_key = k.inventory_key and o.scope = k.scope and o.row_state = 'active' and o.birth_id is not null
    and (o.dirty or o.recompute_status <> 'ok' or o.stale_after <= :at::timestamptz or o.ruleset_version <> :ruleset_version::text
      or split_part(o.input_hash, '.', 1) <> k.basis_hash
      or o.source_snapshot_ref not in (select s.id from evolution_snapshots s))
  limit 1
) as due

-- name: findLapsedSingle
-- Objects with a row of reason 'independent' whose class now inherits, except those in :collections,
-- :codes, which shared data refers to. The search starts with inventory groups, because there are few.
with container as materialized (
  select i.inventory_key
  from governance_inventory i
  where i.inherits or i.source_registry <> all (:individual::text[])
),
shared as materialized (
  select gcos_object_key(k.collection_name, k.code) as object_key
  from unnest(:collections::text[], :codes::text[]) as k(collection_name, code)
)
select distinct o.collection_name, o.entity_code
from container c
cross join lateral (
  select l.collection_name, l.entity_code, l.object_key, l.row_state, l.reasons
  from governance_candidate_object l
  where l.inventory_key = c.inventory_key
  -- OFFSET 0 prevents flattening: one index look-up per container, independent of statistics.
  offset 0
) as o
where o.row_state = 'active' and 'independent' = any (o.reasons)
  and not exists (select from shared s where s.object_key = o.object_key)

-- name: findBad
-- Objects with a row because the input gate has not accepted them. Keys with several births or none are
-- found by other statements. :collections null: all collections.
-- nullable: :collections
select distinct o.collection_name, o.entity_code
from governance_candidate_object o
where o.row_state = 'active' and o.birth_id is not null
  and o.input_quality_state in ('invalid_schema', 'incomplete_input', 'untrusted_source', 'stale', 'quarantined')
  and (:collections::text[] is null or o.collection_name = any (:collections::text[]))

-- name: findGroups
-- The inventory groups of the live rows of these objects.
select distinct c.inventory_key
from unnest(:collections::text[], :codes::text[]) as k(collection_name, code)
join governance_candidate_object c on c.object_key = gcos_object_key(k.collection_name, k.code)
where c.row_state in ('active', 'retired')

-- name: buryObjects
-- Turns the rows of deleted objects (:collections, :codes) into tombstones: retired, with the reason and
-- the same weight.
with gone as (
  select c.row_id, c.ruleset_version <> :ruleset_version::text as is_other, c.object_key, c.collection_name, c.entity_code, c.group_key,
    c.inventory_key, c.scope, c.owner_scope, c.materialization_reason, c.reasons, c.birth_id,
    greatest(c.stale_after - c.scan_time, interval '0') as ttl, c.depends_on, c.risk_class, c.weight, c.input_hash,
    c.candidate_verdict as verdict_before, c.coverage_outcome as outcome_before
  from unnest(:collections::text[], :codes::text[]) as k(collection_name, code)
  join governance_candidate_object c
    on c.object_key = gcos_object_key(k.collection_name, k.code) and c.row_state in ('active', 'retired')
),
superseded as (
  update governance_candidate_object c
  set row_state = 'superseded', updated_at = :at::timestamptz
  from gone g
  where c.row_id = g.row_id and g.is_other
  returning c.row_id
),
buried as (
  insert into governance_candidate_object as c (
    object_key, collection_name, entity_code, group_key, ruleset_version, inventory_key, scope, owner_scope,
    materialization_reason, reasons, birth_id, source_snapshot_ref, scan_time, stale_after, candidate_verdict, verdict_line,
    evidence, depends_on, risk_class, coverage_required, weight, input_hash, evidence_fingerprint, last_run_id, row_state, created_at,
    updated_at)
  select g.object_key, g.collection_name, g.entity_code, g.group_key, :ruleset_version::text, g.inventory_key, g.scope, g.owner_scope,
    g.materialization_reason, g.reasons, g.birth_id, p.snapshot_ref, :at::timestamptz, :at::timestamptz + g.ttl, 'retired', 3,
    '{"line": 3, "source_row_gone": true}', g.depends_on, g.risk_class, false, g.weight, g.input_hash, p.fingerprint, :run_id::text,
    'retired', :at::timestamptz, :at::timestamptz
  from gone g
  join governance_inventory_snapshot p on p.inventory_key = g.inventory_key
  where (select count(*) from superseded) >= 0
  order by g.object_key collate "C", g.scope collate "C"
  on conflict (object_key, scope, ruleset_version) do update
  set source_snapshot_ref = excluded.source_snapshot_ref, scan_time = excluded.scan_time, stale_after = excluded.stale_after,
    candidate_verdict = excluded.candidate_verdict, verdict_line = excluded.verdict_line, evidence = excluded.evidence,
    input_quality_state = null, input_quality_ref = null, dirty = false, dirty_reason = null, dirtied_at = null, recompute_status = 'ok',
    coverage_required = false, coverage_outcome = null, coverage_scan_ref = null, weight = excluded.weight,
    evidence_fingerprint = excluded.evidence_fingerprint, carried_from = null, last_run_id = excluded.last_run_id,
    row_state = excluded.row_state, updated_at = excluded.updated_at
  returning c.row_id, c.object_key, c.group_key, c.collection_name, c.entity_code, c.scope, c.source_snapshot_ref, c.scan_time
),
history as (
  insert into governance_verdict_history (
    row_id, group_key, collection_name, entity_code, scope, ruleset_version, source_snapshot_ref, scan_time, verdict_before,
    verdict_after, outcome_before, outcome_after, verdict_line, cause, run_id)
  select b.row_id, b.group_key, b.collection_name, b.entity_code, b.scope, :ruleset_version::text, b.source_snapshot_ref, b.scan_time,
    g.verdict_before, 'retired', g.outcome_before, null, 3, 'source_row_gone', :run_id::text
  from buried b
  join gone g on g.object_key = b.object_key and g.scope = b.scope
  where g.verdict_before <> 'retired' or g.outcome_before is not null
  order by b.row_id
  returning history_id
)
select (select count(distinct b.object_key) from buried b) as objects, (select count(*) from history) as recorded

-- name: endReasons
-- Ends the reasons :reasons of the objects :collections, :codes. A row with another reason stays. Any other
-- row is retired with weight 0, and the group represents the object again. The verdict is not changed,
-- because only the row ends, not the object. With :are_there, tombstones end as well: the source exists
-- again, and the group represents the object.
with ended as (
  update governance_candidate_object c
  set reasons = case when k.stays then k.rest else c.reasons end,
    materialization_reason = case when k.stays then k.rest[1] else c.materialization_reason end,
    row_state = case when k.stays then c.row_state else 'retired' end,
    weight = case when k.stays then c.weight else 0 end,
    evidence = case when k.stays then c.evidence
      else c.evidence - 'source_row_gone' || jsonb_build_object('lapsed', c.materialization_reason) end,
    -- The remaining row is dirty, so that the next evaluation refreshes it.
    dirty = k.stays,
    dirty_reason = case when k.stays then coalesce(c.dirty_reason, 'reason_lapsed') end,
    dirtied_at = case when k.stays then coalesce(c.dirtied_at, :at::timestamptz) end,
    last_run_id = :run_id::text, updated_at = :at::timestamptz
  from (
    select o.row_id, r.rest, o.row_state = 'active' and cardinality(r.rest) > 0 as stays
    from unnest(:collections::text[], :codes::text[]) as u(collection_name, code)
    join governance_candidate_object o on o.object_key = gcos_object_key(u.collection_name, u.code)
    cross join lateral (
      select array(select e.reason from unnest(o.reasons) with ordinality as e(reason, n) where e.reason <> all (:reasons::text[]) order by e.n) as rest
    ) as r
    where o.row_state = 'active' and o.reasons && :reasons::text[]
      or :are_there::boolean and o.row_state = 'retired' and o.evidence ? 'source_row_gone'
  ) as k
  where c.row_id = k.row_id
  returning c.object_key, c.row_state
)
select count(distinct e.object_key) as objects, count(*) filter (where e.row_state = 'retired') as retired
from ended e

-- name: writeObjects
-- Writes the verdicts of single objects. :kind_nos to :reasons describe the objects, :kinds to
-- :own_hashes the decision per kind of object and scope, :owned_nos to :owned_hashes the objects with an
-- owner of their own. Equal and valid rows are not touched. A later birth of a key does not replace the
-- first. Only a caller that has read all births (:saw_all_births) can decide whether a key has one birth.
-- A withheld verdict replaces no row and is dirty from the start.
-- nullable: :birth_ids[], :owners[], :input_states[], :own_owners[]
with o as materialized (
  select u.object_no, u.kind_no, u.collection_name, u.entity_code, u.birth_id, string_to_array(u.reasons, ',') as reasons,
    gcos_object_key(u.collection_name, u.entity_code) as object_key
  from unnest(:kind_nos::int4[], :collections::text[], :codes::text[], :birth_ids::bigint[], :reasons::text[])
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
  join unnest(:kinds::int4[], :scopes::text[], :inventory_keys::text[], :group_keys::text[], :owners::text[], :verdicts::text[], :lines::int4[], :evidence::text[], :input_states::text[],
    :depends_on::text[], :risk_classes::text[], :coverage_required::boolean[], :ttl_seconds::bigint[], :weights::int4[], :basis_hashes::text[], :own_hashes::text[])
    as d(kind_no, scope, inventory_key, group_key, owner_scope, verdict, line, evidence, input_state, depends_on, risk_class,
      coverage_required, ttl_seconds, weight, basis_hash, own_hash)
    on d.kind_no = o.kind_no
  left join unnest(:owned_nos::int4[], :owned_scopes::text[], :own_owners::text[], :owned_hashes::text[]) as w(object_no, scope, owner_scope, own_hash)
    on w.object_no = o.object_no and w.scope = d.scope
),
compared as (
  select n.object_key, n.collection_name, n.entity_code, n.birth_id, n.scope, n.inventory_key, n.group_key, n.owner_scope,
    n.verdict, n.line, n.evidence, n.input_state, n.risk_class, n.coverage_required, n.ttl_seconds, n.weight, n.input_hash,
    n.depends_on,
    n.reasons,
    c.row_id as live_id, c.ruleset_version is distinct from :ruleset_version::text as is_other, c.candidate_verdict as verdict_before,
    c.coverage_outcome as outcome_before, c.coverage_scan_ref as scan_ref_before, c.row_state as state_before,
    c.reasons as reasons_before,
    coalesce((c.input_hash, c.candidate_verdict, c.verdict_line, c.row_state, c.weight, c.ruleset_version, c.inventory_key)
      = (n.input_hash, n.verdict, n.line, 'active', n.weight, :ruleset_version::text, n.inventory_key)
      and c.birth_id is not distinct from n.birth_id and c.group_key = n.group_key, false) as same,
    p.snapshot_ref, p.fingerprint, s.id as snapshot_before, c.evidence_fingerprint as fingerprint_before,
    coalesce(not c.dirty and c.recompute_status = 'ok' and c.row_state = 'active' and c.stale_after > :at::timestamptz
      and c.ruleset_version = :ruleset_version::text and s.id is not null, false) as is_unmarked,
    coalesce(c.dirty or c.recompute_status <> 'ok' or c.stale_after <= :at::timestamptz or s.id is null, true) as lapsed
  from n
  join governance_inventory_snapshot p on p.inventory_key = n.inventory_key
  -- Uses the index, independent of statistics: before the first ANALYZE the planner preferred a join by
  -- scope alone, which is quadratic.
  left join lateral (
    select l.row_id, l.ruleset_version, l.inventory_key, l.group_key, l.birth_id, l.reasons, l.row_state, l.candidate_verdict,
      l.verdict_line, l.coverage_outcome, l.coverage_scan_ref, l.weight, l.input_hash, l.input_quality_state, l.dirty,
      l.recompute_status, l.stale_after, l.source_snapshot_ref, l.evidence_fingerprint
    from governance_candidate_object l
    where l.object_key = n.object_key and l.scope = n.scope and l.row_state in ('active', 'retired')
    limit 1
  ) as c on true
  left join evolution_snapshots s on s.id = c.source_snapshot_ref
  where (c.row_state = 'active' and not :saw_all_births::boolean
    and (c.birth_id < n.birth_id or c.input_quality_state in ('duplicate', 'conflict')
      and coalesce(n.input_state, '') not in ('invalid_schema', 'incomplete_input', 'untrusted_source'))) is not true
    and (c.row_id is null or not starts_with(n.input_hash, 'withheld'))
),
differing as (
  select c.object_key, c.collection_name, c.entity_code, c.birth_id, c.scope, c.inventory_key, c.group_key, c.owner_scope,
    c.verdict, c.line, c.evidence, c.input_state, c.risk_class, c.coverage_required, c.ttl_seconds, c.weight, c.input_hash,
    c.depends_on, c.reasons, c.live_id, c.is_other, c.verdict_before, c.outcome_before, c.scan_ref_before,
    c.same and c.reasons = c.reasons_before as same, c.is_unmarked,
    case when k.keeps then c.snapshot_before else c.snapshot_ref end as snapshot_ref,
    case when k.keeps then c.fingerprint_before else c.fingerprint end as fingerprint
  from compared c
  cross join lateral (
    select c.same and c.snapshot_before is not null and c.fingerprint_before <> c.fingerprint as keeps
  ) as k
  where c.lapsed or not c.same or c.reasons is distinct from c.reasons_before
),
superseded as (
  update governance_candidate_object c
  set row_state = 'superseded', updated_at = :at::timestamptz
  from differing d
  where c.row_id = d.live_id and d.is_other
  returning c.row_id
),
written as (
  insert into governance_candidate_object as c (
    object_key, collection_name, entity_code, group_key, ruleset_version, inventory_key, scope, owner_scope,
    materialization_reason, reasons, birth_id, source_snapshot_ref, scan_time, stale_after, candidate_verdict, verdict_line,
    evidence, input_quality_state, dirty, dirty_reason, dirtied_at, depends_on, risk_class, coverage_required, coverage_outcome,
    coverage_scan_ref, weight, input_hash, evidence_fingerprint, last_run_id, row_state, created_at, updated_at)
  select d.object_key, d.collection_name, d.entity_code, d.group_key, :ruleset_version::text, d.inventory_key, d.scope, d.owner_scope,
    d.reasons[1], d.reasons, d.birth_id, d.snapshot_ref, :at::timestamptz,
    :at::timestamptz + make_interval(secs => d.ttl_seconds * gcos_spread(d.object_key)), d.verdict, d.line, d.evidence, d.input_state,
    starts_with(d.input_hash, 'withheld'), case when starts_with(d.input_hash, 'withheld') then 'withheld' end,
    case when starts_with(d.input_hash, 'withheld') then :at::timestamptz end, d.depends_on, d.risk_class, d.coverage_required,
    case when d.coverage_required then case when d.same then coalesce(d.outcome_before, 'not_evaluated') else 'not_evaluated' end end,
    case when d.coverage_required and d.same then d.scan_ref_before end,
    d.weight, d.input_hash, d.fingerprint, :run_id::text, 'active', :at::timestamptz, :at::timestamptz
  from differing d
  -- Reading the count forces the order: all replaced rows are superseded before any row is inserted.
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
    -- Coverage evidence is dropped when coverage is no longer required.
    coverage_evidence = case when excluded.coverage_required then c.coverage_evidence end, weight = excluded.weight, input_hash = excluded.input_hash,
    evidence_fingerprint = excluded.evidence_fingerprint, carried_from = null, last_run_id = excluded.last_run_id,
    row_state = excluded.row_state, updated_at = excluded.updated_at
  returning c.row_id, c.object_key, c.collection_name, c.entity_code, c.group_key, c.scope, c.source_snapshot_ref, c.scan_time,
    c.candidate_verdict, c.coverage_outcome, c.verdict_line, (xmax = 0) as created
),
history as (
  insert into governance_verdict_history (
    row_id, group_key, collection_name, entity_code, scope, ruleset_version, source_snapshot_ref, scan_time, verdict_before,
    verdict_after, outcome_before, outcome_after, verdict_line, cause, run_id)
  select w.row_id, w.group_key, w.collection_name, w.entity_code, w.scope, :ruleset_version::text, w.source_snapshot_ref, w.scan_time,
    d.verdict_before, w.candidate_verdict, d.outcome_before, w.coverage_outcome, w.verdict_line,
    case when :cause::text = 'audit' and d.is_unmarked then 'unmarked' else :cause::text end, :run_id::text
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

-- name: findUnborn
-- Listed members without a birth.
-- nullable: member_status
-- part members: select null::text, null::text, null::text where false
with member (collection_name, code, status) as (
  {{members}}
)
select m.collection_name, m.code as entity_code, m.status as member_status
from member m
where not exists (
  select from birth_registry b where b.collection_name = m.collection_name and b.entity_code = m.code)
order by m.collection_name collate "C", m.code collate "C"
