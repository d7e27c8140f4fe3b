-- name: findBadInput
-- The given objects whose input was not accepted when they were last evaluated.
select distinct c.collection_name, c.entity_code
from unnest(:collections::text[], :codes::text[]) as k(collection_name, code)
join governance_candidate_object c on c.object_key = gcos_object_key(k.collection_name, k.code)
where c.row_state = 'active' and c.candidate_verdict = 'needs_input'

-- name: readTouched
-- The inventory groups with object rows that were written or ended at :at.
select distinct c.inventory_key
from governance_candidate_object c
where c.updated_at = :at::timestamptz and c.row_state in ('active', 'retired')
