-- name: readSubjects
-- What the findings with the keys :keys are about: the entity, the registry of its class, the evidence, the
-- finding that represents it, and the groups concerned. The columns of a verdict are null where the groups
-- differ.
-- nullable: entity_type, entity_code, registry, link, facts, group_key, candidate_verdict, ruleset_version
-- nullable: source_snapshot_ref, dirty_reason, parent_issue_id
with place as materialized (
  select m.object_class, min(m.collection_name) as collection_name
  from gcos_class_map() m
  where m.species_code is null
  group by m.object_class
)
select k.coalesce_key, k.entity_type, k.entity_code, k.is_summary,
  case when k.parent_key is not null and not k.announced then i.parent_issue_id::text end as parent_issue_id,
  coalesce(i.evidence_snapshot::jsonb #>> '{facts,source_registry}', (
    select p.collection_name from place p where p.object_class = k.entity_type)) as registry,
  i.evidence_snapshot::jsonb ->> 'link' as link, (i.evidence_snapshot::jsonb -> 'facts')::text as facts,
  g.groups, g.group_key, g.candidate_verdict, g.ruleset_version, g.source_snapshot_ref, g.dirty_reason
from governance_finding_key k
join system_issues i on i.id = k.issue_id and i.code = k.issue_code
cross join lateral (
  select count(*) as groups, case when count(*) = 1 then min(c.group_key) end as group_key,
    case when min(c.candidate_verdict) = max(c.candidate_verdict) then min(c.candidate_verdict) end as candidate_verdict,
    case when min(c.ruleset_version) = max(c.ruleset_version) then min(c.ruleset_version) end as ruleset_version,
    case when min(c.source_snapshot_ref) = max(c.source_snapshot_ref) then min(c.source_snapshot_ref) end::text as source_snapshot_ref,
    case when min(c.dirty_reason) = max(c.dirty_reason) then min(c.dirty_reason) end as dirty_reason
  from (
    select c.group_key, c.candidate_verdict, c.ruleset_version, c.source_snapshot_ref, c.dirty_reason
    from governance_candidate_state c
    where c.inventory_key = k.subject and c.row_state in ('active', 'retired') and (k.scope is null or c.scope = k.scope)
    union all
    select c.group_key, c.candidate_verdict, c.ruleset_version, c.source_snapshot_ref, c.dirty_reason
    from governance_inventory n
    join governance_candidate_state c on c.inventory_key = n.inventory_key and c.row_state in ('active', 'retired')
      and (k.scope is null or c.scope = k.scope)
    where k.entity_type = 'collection' and k.subject = k.entity_code and n.source_registry = k.entity_code
  ) as c
) as g
where k.coalesce_key = any (:keys::text[])
