-- name: readSources
-- The evaluated inventory groups (:inventory_keys null: all) with the approximate number of units per
-- scope; a high default where no count is stored.
-- nullable: :inventory_keys
select i.inventory_key, i.source_registry, i.object_class, case when i.inherits then 1 else coalesce(i.grain_count, i.member_count, 1000) end::bigint as units
from governance_inventory i
where :inventory_keys::text[] is null or i.inventory_key = any (:inventory_keys::text[])
order by i.inventory_key

-- fragment: stored_rows
-- The rows to judge: relevant groups and objects of :inventory_keys in :row_scopes (null: all scopes).
group_row as (
  select c.row_id, c.inventory_key, c.scope, i.object_class, i.source_registry, c.weight, c.risk_class
  from governance_candidate_state c
  join governance_inventory i on i.inventory_key = c.inventory_key
  where c.row_state = 'active' and c.candidate_verdict = 'relevant' and c.inventory_key = any (:inventory_keys::text[])
    and (:row_scopes::text[] is null or c.scope = any (:row_scopes::text[]))
),
object_row as (
  select c.row_id, c.inventory_key, c.scope, i.object_class, i.source_registry, c.entity_code, c.birth_id, c.weight, c.risk_class
  from governance_candidate_object c
  join governance_inventory i on i.inventory_key = c.inventory_key
  where c.row_state = 'active' and c.candidate_verdict = 'relevant' and c.inventory_key = any (:inventory_keys::text[])
    and (:row_scopes::text[] is null or c.scope = any (:row_scopes::text[]))
)

-- fragment: given_rows
-- The rows to judge, passed as parallel arrays instead of read from tables.
given as materialized (
  select u.row_id, u.is_object, u.inventory_key, u.scope, u.object_class, u.source_registry, u.entity_code, u.birth_id, u.weight, u.risk_class
  from unnest(:unit_nos::bigint[], :is_object::boolean[], :unit_inventory_keys::text[], :unit_scopes::text[], :unit_classes::text[],
    :unit_registries::text[], :unit_codes::text[], :unit_birth_ids::bigint[], :unit_weights::int4[], :unit_risks::text[])
    as u(row_id, is_object, inventory_key, scope, object_class, source_registry, entity_code, birth_id, weight, risk_class)
),
group_row as (
  select g.row_id, g.inventory_key, g.scope, g.object_class, g.source_registry, g.weight, g.risk_class
  from given g
  where not g.is_object
),
object_row as (
  select g.row_id, g.inventory_key, g.scope, g.object_class, g.source_registry, g.entity_code, g.birth_id, g.weight, g.risk_class
  from given g
  where g.is_object
)

-- fragment: judge
-- Evaluates each unit: which links are required, how each resolves, which are missing, which are
-- excepted.
required as materialized (
  select r.object_class, r.scope, r.link
  from unnest(:classes::text[], :scopes::text[], :links::text[]) as r(object_class, scope, link)
),
canary as materialized (
  select -v.no as unit_no, v.object_class, v.reference, r.scope, r.link
  from unnest(:canary_classes::text[], :canary_references::text[]) with ordinality as v(object_class, reference, no)
  join required r on r.object_class = v.object_class
),
unit as materialized (
  select g.row_id as unit_no, 'group'::text as kind, g.inventory_key, g.scope, g.object_class, g.source_registry, null::text as code,
    null::bigint as birth_id, true as is_container, true as counts, g.risk_class
  from group_row g
  where g.weight = 1
  union all
  -- An object represented by its container has the evidence of the container, and exceptions of its own.
  select o.row_id, 'object', o.inventory_key, o.scope, o.object_class, o.source_registry, o.entity_code, o.birth_id, o.weight = 0,
    o.weight = 1, o.risk_class
  from object_row o
  union all
  select v.unit_no, 'canary', 'canary', v.scope, v.object_class, 'gcos:canary', 'gcos:canary', null, false, false, 'write_high'
  from canary v
),
step as (
  select u.unit_no, u.scope, s.distance, s.object_type, s.object_ref, s.through_anchor
  from unit u
  cross join lateral (
    values (1, case when not u.is_container then u.object_class end, u.code, false), (2, 'collection', u.source_registry, true),
      (3, 'class', u.object_class, false)
  ) as s(distance, object_type, object_ref, through_anchor)
  where s.object_type is not null
),
ownership (object_type, object_ref, scope, owner, is_inherited_anchor, effective_from, effective_to, approval_ref, audit_ref,
  rollback_ref, law_ref, design_ref, id, replaces) as not materialized (
  {{ownership}}
),
declared as materialized (
  select p.unit_no, p.distance, o.owner,
    (o.effective_from is null or o.effective_from <= :at::timestamptz) and (o.effective_to is null or o.effective_to > :at::timestamptz) as live,
    -- The next time at which this row changes by itself: when it takes effect or ends.
    case when o.effective_from > :at::timestamptz then o.effective_from when o.effective_to > :at::timestamptz then o.effective_to end
      as next_change,
    o.approval_ref, o.audit_ref, o.rollback_ref, o.law_ref, o.design_ref
  from step p
  join ownership o on o.object_type = p.object_type and o.object_ref = p.object_ref and o.scope = p.scope
  where (o.is_inherited_anchor or not p.through_anchor)
    -- A row does not count as soon as one that replaces it is in force. Only a later row replaces one.
    and not exists (
      select from ownership n
      where n.object_type = o.object_type and n.object_ref = o.object_ref and n.scope = o.scope and n.replaces = o.id and n.id > o.id
        and (n.effective_from is null or n.effective_from <= :at::timestamptz) and (n.effective_to is null or n.effective_to > :at::timestamptz))
  union all
  -- Two owners claim the canary.
  select v.unit_no, 1, 'gcos:canary-' || n.no, true, null::timestamptz, null::text, null::text, null::text, null::text, null::text
  from canary v
  cross join generate_series(1, 2) as n(no)
  where v.link = 'owner' and v.reference is not null
),
deciding as materialized (
  select d.unit_no, min(d.distance) filter (where d.live) as distance, min(d.next_change) as next_change
  from declared d
  group by d.unit_no
),
owner as materialized (
  select g.unit_no, g.distance, count(distinct d.owner) as owners, min(d.owner) as owner
  from deciding g
  join declared d on d.unit_no = g.unit_no and d.distance = g.distance and d.live
  group by g.unit_no, g.distance
),
member (collection_name, code, link, ref) as materialized (
  {{members}}
),
tool (code, authority) as materialized (
  {{tools}}
),
-- The executor of an object without an authority of its own: the tool named in its registry, otherwise
-- the tool in the dot_origin of its birth.
executor as materialized (
  select u.unit_no, case when u.source_registry = any (:executed::text[]) then m.ref
      else (
        -- Inheritance children may repeat an id.
        select b.dot_origin::text from birth_registry b
        where b.id = u.birth_id and b.collection_name::text = u.source_registry and b.entity_code::text = u.code limit 1) end as tool
  from unit u
  join required r on r.object_class = u.object_class and r.scope = u.scope and r.link = 'dot_authority'
  left join member m on m.collection_name = u.source_registry and m.code = u.code and m.link = 'executor'
  where u.kind = 'object' and not u.is_container and u.source_registry <> all (:self_authorised::text[])
),
reference as materialized (
  select d.unit_no, q.link, r.ref, 'ownership'::text as via
  from declared d
  join unit u on u.unit_no = d.unit_no
  join deciding g on g.unit_no = d.unit_no
  join required q on q.object_class = u.object_class and q.scope = u.scope
  cross join lateral (
    select nullif(case q.link when 'approval' then d.approval_ref when 'audit' then d.audit_ref when 'rollback' then d.rollback_ref
      when 'law_ref' then d.law_ref when 'design_ref' then d.design_ref end, '') as ref
  ) as r
  -- Only the owner is inherited. An object has the references of its own ownership rows; a container has
  -- those of the rows that decide its owner.
  where d.live and d.distance = case when u.is_container then g.distance else 1 end and r.ref is not null
  union all
  select u.unit_no, m.link, m.ref, 'registry'
  from unit u
  join required q on q.object_class = u.object_class and q.scope = u.scope
  join member m on m.collection_name = u.source_registry and m.code = u.code and m.link = q.link
  where not u.is_container
  union all
  select e.unit_no, 'dot_authority', t.authority, 'executor'
  from executor e
  join tool t on t.code = e.tool
  where nullif(t.authority, '') is not null
  union all
  select v.unit_no, v.link, v.reference, 'canary'
  from canary v
  where v.link <> 'owner' and v.reference is not null
),
wanted as materialized (
  select distinct r.link, r.ref from reference r
),
found as materialized (
  {{evidence}}
),
resolved as materialized (
  select r.unit_no, r.link, min(r.ref) as ref, min(r.via) as via
  from reference r
  join found f on f.link = r.link and f.ref = r.ref
  group by r.unit_no, r.link
),
need as materialized (
  select u.unit_no, q.link,
    case
      when q.link = 'owner' then
        case when not :ownership_available::boolean then 'unknown' when o.owners = 1 then 'resolved' when o.owners > 1 then 'conflict' else 'missing' end
      when q.link <> all (:evaluable::text[]) or (u.is_container and not :ownership_available::boolean) then 'unknown'
      when r.unit_no is not null then 'resolved'
      else 'missing'
    end as state,
    case when q.link = 'owner' then case when o.owners = 1 then o.owner end else r.ref end as ref,
    case when q.link = 'owner' then (array['object', 'collection', 'class'])[o.distance] else r.via end as via,
    case when q.link = 'dot_authority' then e.tool end as tool
  from unit u
  join required q on q.object_class = u.object_class and q.scope = u.scope
  left join owner o on o.unit_no = u.unit_no
  left join resolved r on r.unit_no = u.unit_no and r.link = q.link
  left join executor e on e.unit_no = u.unit_no
),
holding as materialized (
  select x.exception_code, x.subject_kind, x.collection_name, x.entity_code, x.inventory_key, x.object_class, x.scope, x.link, x.expires_at
  from governance_exception_in_force(:at::timestamptz) x
),
-- An exception never covers a conflict: people must decide which of the owners is accountable.
excepted as materialized (
  select n.unit_no, n.link, (array_agg(x.exception_code order by x.expires_at desc, x.exception_code))[1] as code, max(x.expires_at) as until
  from (
    -- The accepted gaps of a legacy estate are thousands of objects: those are joined by their keys.
    select u.unit_no, x.exception_code, x.link, x.expires_at
    from holding x
    join unit u on u.code = x.entity_code and u.source_registry = x.collection_name and u.scope = x.scope and u.kind <> 'canary'
    where x.subject_kind = 'object'
    union all
    select u.unit_no, x.exception_code, x.link, x.expires_at
    from holding x
    join unit u on u.scope = x.scope and u.kind <> 'canary'
      and gcos_exception_is_about(x.subject_kind, x.collection_name, x.entity_code, x.inventory_key, x.object_class, u.source_registry,
        u.code, u.inventory_key, u.object_class)
    where x.subject_kind <> 'object'
  ) as x
  join need n on n.unit_no = x.unit_no and n.state = 'missing' and (x.link is null or x.link = n.link)
  group by n.unit_no, n.link
),
judged as materialized (
  select u.unit_no, u.kind, u.inventory_key, u.scope, u.counts,
    case
      when count(n.link) = 0 then 'not_evaluated'
      when bool_or(n.state = 'conflict' or (n.state = 'missing' and x.code is null)) then 'orphan'
      when bool_or(n.state = 'unknown') then 'not_evaluated'
      when bool_or(x.code is not null) then 'exception'
      else 'covered'
    end as outcome,
    jsonb_build_object('links', coalesce(jsonb_object_agg(n.link, jsonb_strip_nulls(jsonb_build_object(
      'state', case when x.code is null then n.state else 'excepted' end, 'ref', n.ref, 'via', n.via, 'exception', x.code, 'tool', n.tool)))
      filter (where n.link is not null), '{}')) as evidence,
    least(min(g.next_change), min(x.until)) as holds_until
  from unit u
  left join need n on n.unit_no = u.unit_no
  left join excepted x on x.unit_no = n.unit_no and x.link = n.link
  left join deciding g on g.unit_no = u.unit_no
  group by u.unit_no, u.kind, u.inventory_key, u.scope, u.counts
),
-- A group whose objects count one by one is not a unit; its row summarises the outcomes of the objects.
rolled as (
  select g.row_id,
    case
      when bool_or(j.outcome = 'orphan') then 'orphan'
      when count(j.unit_no) = 0 or bool_or(j.outcome = 'not_evaluated') then 'not_evaluated'
      when bool_or(j.outcome = 'exception') then 'exception'
      else 'covered'
    end as outcome,
    jsonb_build_object('objects', jsonb_strip_nulls(jsonb_build_object(
      'covered', nullif(count(*) filter (where j.outcome = 'covered'), 0), 'orphan', nullif(count(*) filter (where j.outcome = 'orphan'), 0),
      'exception', nullif(count(*) filter (where j.outcome = 'exception'), 0),
      'not_evaluated', nullif(count(*) filter (where j.outcome = 'not_evaluated'), 0)))) as evidence,
    min(j.holds_until) as holds_until
  from group_row g
  left join judged j on j.kind = 'object' and j.counts and j.inventory_key = g.inventory_key and j.scope = g.scope
  where g.weight = 0
  group by g.row_id
),
target as materialized (
  select j.unit_no as row_id, j.outcome, j.evidence, j.holds_until from judged j where j.kind = 'group'
  union all
  select r.row_id, r.outcome, r.evidence, r.holds_until from rolled r
)

-- fragment: write
-- Writes the rows that differ, with their history.
written_groups as (
  update governance_candidate_state c
  set coverage_outcome = t.outcome, coverage_evidence = t.evidence, coverage_scan_ref = :run_id::text,
    -- The evidence ends before the verdict does, so the verdict ends with it.
    stale_after = least(c.stale_after, t.holds_until), updated_at = :at::timestamptz
  from target t
  join governance_candidate_state before on before.row_id = t.row_id
  where c.row_id = t.row_id
    and (before.coverage_outcome is distinct from t.outcome or before.coverage_evidence is distinct from t.evidence
      or before.coverage_scan_ref is null or before.stale_after > t.holds_until)
  returning c.row_id, c.group_key, null::text as collection_name, null::text as entity_code, c.scope, c.ruleset_version,
    c.source_snapshot_ref, c.scan_time, c.candidate_verdict, c.verdict_line, before.coverage_outcome as outcome_before,
    c.coverage_outcome as outcome_after, c.last_run_id
),
written_objects as (
  update governance_candidate_object c
  set coverage_outcome = j.outcome, coverage_evidence = j.evidence, coverage_scan_ref = :run_id::text,
    stale_after = least(c.stale_after, j.holds_until), updated_at = :at::timestamptz
  from judged j
  join governance_candidate_object before on before.row_id = j.unit_no
  where j.kind = 'object' and c.row_id = j.unit_no
    -- By their keys, too: without nested loops a join alone reads the whole table, twice.
    and c.row_id = any (array(select u.unit_no from unit u where u.kind = 'object'))
    and before.row_id = any (array(select u.unit_no from unit u where u.kind = 'object'))
    and (before.coverage_outcome is distinct from j.outcome or before.coverage_evidence is distinct from j.evidence
      or before.coverage_scan_ref is null or before.stale_after > j.holds_until)
  returning c.row_id, c.group_key, c.collection_name, c.entity_code, c.scope, c.ruleset_version, c.source_snapshot_ref, c.scan_time,
    c.candidate_verdict, c.verdict_line, before.coverage_outcome as outcome_before, c.coverage_outcome as outcome_after, c.last_run_id
),
changed as materialized (
  select w.row_id, w.group_key, w.collection_name, w.entity_code, w.scope, w.ruleset_version, w.source_snapshot_ref, w.scan_time,
    w.candidate_verdict, w.verdict_line, w.outcome_before, w.outcome_after, w.last_run_id
  from written_groups w
  union all
  select w.row_id, w.group_key, w.collection_name, w.entity_code, w.scope, w.ruleset_version, w.source_snapshot_ref, w.scan_time,
    w.candidate_verdict, w.verdict_line, w.outcome_before, w.outcome_after, w.last_run_id
  from written_objects w
),
history as (
  insert into governance_verdict_history (
    row_id, group_key, collection_name, entity_code, scope, ruleset_version, source_snapshot_ref, scan_time, verdict_before,
    verdict_after, outcome_before, outcome_after, verdict_line, cause, run_id)
  select w.row_id, w.group_key, w.collection_name, w.entity_code, w.scope, w.ruleset_version, w.source_snapshot_ref, w.scan_time,
    w.candidate_verdict, w.candidate_verdict, w.outcome_before, w.outcome_after, w.verdict_line,
    -- Nothing marked a row that had an outcome and that this audit has not evaluated before its coverage.
    case when :audit::boolean and w.last_run_id <> :run_id::text and w.outcome_before <> 'not_evaluated' then 'unmarked' else 'coverage' end, :run_id::text
  from changed w
  where w.outcome_before is distinct from w.outcome_after
  order by w.row_id
  returning history_id
)

-- fragment: report
-- The gaps, the results of the canaries, and the number of units per outcome.
select 'gap'::text as what, u.unit_no, u.kind, u.inventory_key, u.scope, u.object_class, u.source_registry, u.code, n.link, n.state,
  u.risk_class, n.tool, 1::bigint as amount
from need n
join unit u on u.unit_no = n.unit_no
left join excepted x on x.unit_no = n.unit_no and x.link = n.link
where u.counts and n.state in ('missing', 'conflict') and x.code is null
union all
select 'canary', u.unit_no, j.outcome, u.inventory_key, u.scope, u.object_class, u.source_registry, u.code, n.link, n.state, u.risk_class, null, 1
from unit u
join judged j on j.unit_no = u.unit_no
left join need n on n.unit_no = u.unit_no
where u.kind = 'canary'
union all
select 'outcome', null, j.outcome, null, j.scope, null, null, null, null, null, null, null, count(*)
from judged j
where j.kind <> 'canary' and j.counts
group by j.outcome, j.scope

-- name: evaluateUnits
-- Evaluates every relevant unit of the inventory groups :inventory_keys in :row_scopes (null: all) at :at.
-- The required links are the parallel arrays :classes, :scopes and :links. Canaries (:canary_classes,
-- :canary_references) are evaluated like other units, but nothing is written for them.
-- nullable: unit_no, inventory_key, scope, object_class, source_registry, code, link, state, risk_class, tool
-- nullable: :row_scopes, :canary_references[]
-- part ownership: select null::text, null::text, null::text, null::text, null::bool, null::timestamptz, null::timestamptz, null::text, null::text, null::text, null::text, null::text, null::bigint, null::bigint where false
-- part members: select null::text, null::text, null::text, null::text where false
-- part tools: select null::text, null::text where false
-- part evidence: select null::text as link, null::text as ref where false
with {{stored_rows}},
{{judge}},
{{write}}
{{report}}
union all
select 'looked_at', null, '', null, null, null, null, null, null, null, null, null, count(*)
from governance_candidate_state c
where c.row_state = 'active' and c.inventory_key = any (:inventory_keys::text[])
  and (:row_scopes::text[] is null or c.scope = any (:row_scopes::text[]))
union all
select 'changed', null, '', null, null, null, null, null, null, null, null, null, count(*)
from changed w
where w.outcome_before is distinct from w.outcome_after
union all
select 'written', null, '', null, null, null, null, null, null, null, null, null, count(*)
from changed w
order by what, inventory_key, scope, code, link, kind

-- name: previewUnits
-- The same evaluation for rows that are passed instead of read. It writes nothing and returns the outcome
-- of each row.
-- nullable: unit_no, inventory_key, scope, object_class, source_registry, code, link, state, risk_class, tool
-- nullable: :canary_references[], :unit_codes[], :unit_birth_ids[]
-- part ownership: select null::text, null::text, null::text, null::text, null::bool, null::timestamptz, null::timestamptz, null::text, null::text, null::text, null::text, null::text, null::bigint, null::bigint where false
-- part members: select null::text, null::text, null::text, null::text where false
-- part tools: select null::text, null::text where false
-- part evidence: select null::text as link, null::text as ref where false
with {{given_rows}},
{{judge}}
{{report}}
union all
select 'unit', t.row_id, t.outcome, null, null, null, null, null, null, null, null, null, 1
from target t
union all
select 'unit', j.unit_no, j.outcome, null, null, null, null, null, null, null, null, null, 1
from judged j
where j.kind = 'object'
order by what, inventory_key, scope, code, link, kind
