-- Objects with a row because their birth is malformed. $1 null: of all collections.
select distinct o.collection_name, o.entity_code
from governance_candidate_object o
where o.row_state = 'active' and o.input_quality_state = 'invalid_schema'
  and ($1::text[] is null or o.collection_name = any ($1::text[]))
