-- name: linkInput
-- Sets input_quality_ref of the live rows in :collections (null: all) to the open finding about the problem
-- in input_quality_state: that of the object itself, otherwise that of its whole collection. :states and
-- :types are the states and the types of their findings. Writes only differences. The caller disables nested
-- loops: the planner does not know how many objects have a problem, and a loop over all pairs is quadratic.
-- nullable: :collections
with problem as materialized (
  select s.subject_key, t.state, min(k.issue_id) as issue_id
  from governance_input_state s
  join unnest(:states::text[], :types::text[]) as t(state, finding_type)
    on t.state = s.input_state or t.state = 'quarantined' and s.quarantined_at is not null
  join governance_finding_key k
    on hashtextextended(k.subject, 0) = hashtextextended(s.collection_name, 0) and k.subject = s.collection_name
      and k.finding_type = t.finding_type and not k.is_summary
  cross join lateral (
    select i.id
    from system_issues i
    where i.id = k.issue_id and i.code = k.issue_code and (i.status::text = any (:closed_statuses::text[])) is not true
      and i.evidence_snapshot::jsonb #>> '{facts,cause}' = case
        when t.state in ('duplicate', 'conflict') then s.entity_code
        when t.state = 'quarantined' then case when s.quarantined_by = 'gcos' then 'failed_repeatedly' else 'operator' end
        else s.cause end
    offset 0
  ) as open
  where s.cured_at is null and (:collections::text[] is null or s.collection_name = any (:collections::text[]))
  group by s.subject_key, t.state
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
