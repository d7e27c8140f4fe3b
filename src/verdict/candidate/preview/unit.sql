-- name: readIsJudged
-- Whether anything has a live row.
select exists (select from governance_candidate_state c where c.row_state in ('active', 'retired')) as is_judged

-- fragment: stored_object
-- The live rows of objects. A retired row that is not a tombstone is left out, because its group represents
-- the object. A tombstone records that its object is gone.
c.row_state in ('active', 'retired') and (c.row_state = 'active' or c.evidence ? 'source_row_gone')

-- name: readStoredObjects
-- One page of the objects that have a live row, after the key :after.
select distinct c.object_key, c.collection_name, c.entity_code
from governance_candidate_object c
where c.object_key > :after::text and {{stored_object}}
order by c.object_key
limit :page_size::int4

-- name: readRows
-- The live rows of the inventory groups :inventory_keys, and of the objects :collections, :codes.
-- nullable: axis_family, lifecycle_status, code, birth_id, coverage_outcome
select c.row_id, false as is_object, c.inventory_key, c.scope, i.object_class, i.source_registry, i.axis_family, i.lifecycle_status,
  null::text as code, null::bigint as birth_id, c.candidate_verdict, c.verdict_line, c.risk_class, c.weight,
  c.row_state = 'retired' as is_over, c.evidence ? 'source_row_gone' as is_gone, c.evidence @> '{"terminal": true}' as is_ended, c.coverage_outcome
from governance_candidate_state c
join governance_inventory i on i.inventory_key = c.inventory_key
where c.row_state in ('active', 'retired') and c.inventory_key = any (:inventory_keys::text[])
union all
select c.row_id, true, c.inventory_key, c.scope, i.object_class, c.collection_name, i.axis_family, i.lifecycle_status, c.entity_code,
  c.birth_id, c.candidate_verdict, c.verdict_line, c.risk_class, c.weight, c.row_state = 'retired', c.evidence ? 'source_row_gone',
  c.evidence @> '{"terminal": true}', c.coverage_outcome
from unnest(:collections::text[], :codes::text[]) as k(collection_name, code)
join governance_candidate_object c on c.object_key = gcos_object_key(k.collection_name, k.code)
join governance_inventory i on i.inventory_key = c.inventory_key
where {{stored_object}}
