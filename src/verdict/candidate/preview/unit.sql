-- name: readRows
-- The live rows of groups and of objects. A retired object row that is not a tombstone is left out,
-- because its group represents the object. A tombstone records that its object is gone.
-- nullable: axis_family, lifecycle_status, code, birth_id, coverage_outcome
select c.row_id, false as is_object, c.inventory_key, c.scope, i.object_class, i.source_registry, i.axis_family, i.lifecycle_status,
  null::text as code, null::bigint as birth_id, c.candidate_verdict, c.verdict_line, c.risk_class, c.weight,
  c.row_state = 'retired' as is_over, c.evidence ? 'source_row_gone' as is_gone, c.evidence @> '{"terminal": true}' as is_ended, c.coverage_outcome
from governance_candidate_state c
join governance_inventory i on i.inventory_key = c.inventory_key
where c.row_state in ('active', 'retired')
union all
select c.row_id, true, c.inventory_key, c.scope, i.object_class, c.collection_name, i.axis_family, i.lifecycle_status, c.entity_code,
  c.birth_id, c.candidate_verdict, c.verdict_line, c.risk_class, c.weight, c.row_state = 'retired', c.evidence ? 'source_row_gone',
  c.evidence @> '{"terminal": true}', c.coverage_outcome
from governance_candidate_object c
join governance_inventory i on i.inventory_key = c.inventory_key
where c.row_state = 'active' or (c.row_state = 'retired' and c.evidence ? 'source_row_gone')
