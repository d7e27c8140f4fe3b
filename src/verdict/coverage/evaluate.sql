-- What every relevant unit of the inventory groups $4 (null: all) comes to at $7: which links are required ($1 to $3: class, scope, link),
-- by what each resolves, what is missing, what is excepted. Canaries ($5, $6: class, reference) are units like any other, except that
-- nothing is written about them. Written is what differs, with its history. Returned are the gaps, what became of the canaries, and counts.
with required as materialized (
  select r.object_class, r.scope, r.link
  from unnest($1::text[], $2::text[], $3::text[]) as r(object_class, scope, link)
),
canary as materialized (
  select -v.no as unit_no, v.object_class, v.reference, r.scope, r.link
  from unnest($5::text[], $6::text[]) with ordinality as v(object_class, reference, no)
  join required r on r.object_class = v.object_class
),
unit as materialized (
  select c.row_id as unit_no, 'group'::text as kind, c.inventory_key, c.scope, i.object_class, i.source_registry, null::text as code,
    null::bigint as birth_id, true as is_container, true as counts, c.risk_class
  from governance_candidate_state c
  join governance_inventory i on i.inventory_key = c.inventory_key
  where c.row_state = 'active' and c.candidate_verdict = 'relevant' and c.weight = 1
    and {{within}}
  union all
  -- An object that its container answers for has the container's evidence, and exceptions of its own.
  select c.row_id, 'object', c.inventory_key, c.scope, i.object_class, i.source_registry, c.entity_code, c.birth_id, c.weight = 0,
    c.weight = 1, c.risk_class
  from governance_candidate_object c
  join governance_inventory i on i.inventory_key = c.inventory_key
  where c.row_state = 'active' and c.candidate_verdict = 'relevant'
    and {{within}}
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
declared as materialized (
  {{ownership}}
  union all
  -- Two who say that it is theirs.
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
-- Who executes what has no authority of its own: the tool its registry names, else the one it was born by.
executor as materialized (
  select u.unit_no, case when u.source_registry = any ($9::text[]) then m.ref
      else (select b.dot_origin::text from birth_registry b where b.id = u.birth_id) end as tool
  from unit u
  join required r on r.object_class = u.object_class and r.scope = u.scope and r.link = 'dot_authority'
  left join member m on m.collection_name = u.source_registry and m.code = u.code and m.link = 'executor'
  where u.kind = 'object' and not u.is_container and u.source_registry <> all ($8::text[])
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
  -- Only the owner inherits: an object has the references of its own rows, a container those of the rows that decide about it.
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
        case when not $10::boolean then 'unknown' when o.owners = 1 then 'resolved' when o.owners > 1 then 'conflict' else 'missing' end
      when q.link <> all ($11::text[]) or (u.is_container and not $10::boolean) then 'unknown'
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
-- Nobody may except a conflict: who of the two answers is for people to say.
excepted as materialized (
  select n.unit_no, n.link, (array_agg(x.exception_code order by x.expires_at desc, x.exception_code))[1] as code, max(x.expires_at) as until
  from governance_exception_in_force($7::timestamptz) x
  join unit u on u.scope = x.scope and u.kind <> 'canary'
    and gcos_exception_is_about(x.subject_kind, x.collection_name, x.entity_code, x.inventory_key, x.object_class, u.source_registry,
      u.code, u.inventory_key, u.object_class)
  join need n on n.unit_no = u.unit_no and n.state = 'missing' and (x.link is null or x.link = n.link)
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
-- A group whose objects count one by one is no unit; it says what they come to.
rolled as (
  select c.row_id,
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
  from governance_candidate_state c
  left join judged j on j.kind = 'object' and j.counts and j.inventory_key = c.inventory_key and j.scope = c.scope
  where c.row_state = 'active' and c.candidate_verdict = 'relevant' and c.weight = 0
    and {{within}}
  group by c.row_id
),
target as materialized (
  select j.unit_no as row_id, j.outcome, j.evidence, j.holds_until from judged j where j.kind = 'group'
  union all
  select r.row_id, r.outcome, r.evidence, r.holds_until from rolled r
),
-- {{writing}}
written_groups as (
  update governance_candidate_state c
  set coverage_outcome = t.outcome, coverage_evidence = t.evidence, coverage_scan_ref = $12::text,
    -- What it rests on ends before the verdict does: then the verdict ends with it.
    stale_after = least(c.stale_after, t.holds_until), updated_at = $7::timestamptz
  from target t
  join governance_candidate_state before on before.row_id = t.row_id
  where c.row_id = t.row_id
    and (before.coverage_outcome is distinct from t.outcome or before.coverage_evidence is distinct from t.evidence
      or before.coverage_scan_ref is null or before.stale_after > t.holds_until)
  returning c.row_id, c.group_key, null::text as collection_name, null::text as entity_code, c.scope, c.ruleset_version,
    c.source_snapshot_ref, c.scan_time, c.candidate_verdict, c.verdict_line, before.coverage_outcome as outcome_before,
    c.coverage_outcome as outcome_after
),
written_objects as (
  update governance_candidate_object c
  set coverage_outcome = j.outcome, coverage_evidence = j.evidence, coverage_scan_ref = $12::text,
    stale_after = least(c.stale_after, j.holds_until), updated_at = $7::timestamptz
  from judged j
  join governance_candidate_object before on before.row_id = j.unit_no
  where j.kind = 'object' and c.row_id = j.unit_no
    and (before.coverage_outcome is distinct from j.outcome or before.coverage_evidence is distinct from j.evidence
      or before.coverage_scan_ref is null or before.stale_after > j.holds_until)
  returning c.row_id, c.group_key, c.collection_name, c.entity_code, c.scope, c.ruleset_version, c.source_snapshot_ref, c.scan_time,
    c.candidate_verdict, c.verdict_line, before.coverage_outcome as outcome_before, c.coverage_outcome as outcome_after
),
changed as materialized (
  select w.row_id, w.group_key, w.collection_name, w.entity_code, w.scope, w.ruleset_version, w.source_snapshot_ref, w.scan_time,
    w.candidate_verdict, w.verdict_line, w.outcome_before, w.outcome_after
  from written_groups w
  union all
  select w.row_id, w.group_key, w.collection_name, w.entity_code, w.scope, w.ruleset_version, w.source_snapshot_ref, w.scan_time,
    w.candidate_verdict, w.verdict_line, w.outcome_before, w.outcome_after
  from written_objects w
),
history as (
  insert into governance_verdict_history (
    row_id, group_key, collection_name, entity_code, scope, ruleset_version, source_snapshot_ref, scan_time, verdict_before,
    verdict_after, outcome_before, outcome_after, verdict_line, cause, run_id, recorded_at)
  select w.row_id, w.group_key, w.collection_name, w.entity_code, w.scope, w.ruleset_version, w.source_snapshot_ref, w.scan_time,
    w.candidate_verdict, w.candidate_verdict, w.outcome_before, w.outcome_after, w.verdict_line, 'coverage', $12::text,
    $7::timestamptz
  from changed w
  where w.outcome_before is distinct from w.outcome_after
  order by w.row_id
  returning history_id
)
-- {{answering}}
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
-- {{counting}}
union all
select 'looked_at', null, '', null, null, null, null, null, null, null, null, null, count(*)
from governance_candidate_state c
where c.row_state = 'active' and {{within}}
union all
select 'changed', null, '', null, null, null, null, null, null, null, null, null, count(*)
from changed w
where w.outcome_before is distinct from w.outcome_after
union all
select 'written', null, '', null, null, null, null, null, null, null, null, null, count(*)
from changed w
order by what, inventory_key, scope, code, link, kind
