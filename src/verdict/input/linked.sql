-- name: readOpenInput
-- The open findings of the types in :types about :collections (null: all), with their cause.
-- nullable: :collections
select k.subject, k.finding_type, open.cause, min(k.issue_id) as issue_id
from governance_finding_key k
-- Only rows of GCOS have evidence that is certainly JSON, so the condition on the id comes first.
cross join lateral (
  select i.evidence_snapshot::jsonb #>> '{facts,cause}' as cause
  from system_issues i
  where i.id = k.issue_id and i.code = k.issue_code and (i.status::text = any ((select gcos_closed_statuses())::text[])) is not true
  offset 0
) as open
where k.finding_type = any (:types::text[]) and not k.is_summary and open.cause is not null
  and (:collections::text[] is null or k.subject = any (:collections::text[]))
group by k.subject, k.finding_type, open.cause

-- name: linkInput
-- Sets input_quality_ref of the live rows in :collections (null: all) to the open finding about the problem
-- in input_quality_state: that of the object itself, otherwise that of its whole collection. :subjects to
-- :issue_ids are the open findings. Writes only differences. The caller disables nested loops: the planner
-- does not know how many objects have a problem, and a loop over all pairs is quadratic.
-- nullable: :collections
with open as (
  select s.subject_key, s.collection_name, s.input_state as state,
    case when s.input_state in ('duplicate', 'conflict') then s.entity_code else s.cause end as cause
  from governance_input_state s
  where s.cured_at is null and s.input_state <> 'quarantined'
    and (:collections::text[] is null or s.collection_name = any (:collections::text[]))
  union all
  select s.subject_key, s.collection_name, 'quarantined', case when s.quarantined_by = 'gcos' then 'failed_repeatedly' else 'operator' end
  from governance_input_state s
  where s.cured_at is null and s.quarantined_at is not null
    and (:collections::text[] is null or s.collection_name = any (:collections::text[]))
),
problem as materialized (
  select o.subject_key, o.state, min(f.issue_id) as issue_id
  from open o
  join unnest(:subjects::text[], :states::text[], :causes::text[], :issue_ids::bigint[]) as f(subject, state, cause, issue_id)
    on f.subject = o.collection_name and f.state = o.state and f.cause = o.cause
  group by o.subject_key, o.state
),
groups as (
  update governance_candidate_state c
  set input_quality_ref = f.ref, updated_at = :at::timestamptz
  from (
    select g.row_id, p.issue_id as ref
    from governance_inventory i
    join governance_candidate_state g on g.inventory_key = i.inventory_key and g.row_state in ('active', 'retired')
    left join problem p on p.subject_key = 'collection:' || i.source_registry and p.state = g.input_quality_state
    where (:collections::text[] is null or i.source_registry = any (:collections::text[]))
      and (g.input_quality_state is not null or g.input_quality_ref is not null)
  ) as f
  where c.row_id = f.row_id and c.input_quality_ref is distinct from f.ref
  returning c.row_id
),
objects as (
  update governance_candidate_object o
  set input_quality_ref = f.ref, updated_at = :at::timestamptz
  from (
    select u.row_id, coalesce(p.issue_id, w.issue_id) as ref
    from governance_inventory i
    join governance_candidate_object u on u.inventory_key = i.inventory_key and u.row_state in ('active', 'retired')
    left join problem p on p.subject_key = u.object_key and p.state = u.input_quality_state
    left join problem w on w.subject_key = 'collection:' || u.collection_name and w.state = u.input_quality_state
    where (:collections::text[] is null or i.source_registry = any (:collections::text[]))
      and (u.input_quality_state is not null or u.input_quality_ref is not null)
  ) as f
  where o.row_id = f.row_id and o.input_quality_ref is distinct from f.ref
  returning o.row_id
)
select (select count(*) from groups) + (select count(*) from objects) as linked
