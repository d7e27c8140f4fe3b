-- Objects that are stored as born more than once, and are no longer among those that are ($1, $2).
select distinct o.collection_name, o.entity_code
from governance_candidate_object o
where o.input_quality_state in ('duplicate', 'conflict') and o.row_state = 'active'
  and o.object_key not in (
    select gcos_object_key(k.collection_name, k.code) from unnest($1::text[], $2::text[]) as k(collection_name, code))
