-- Objects with a row because the input gate has not accepted them; those born more than once and those never born are found
-- otherwise. $1 null: of all collections.
select distinct o.collection_name, o.entity_code
from governance_candidate_object o
where o.row_state = 'active' and o.birth_id is not null
  and o.input_quality_state in ('invalid_schema', 'incomplete_input', 'untrusted_source', 'stale', 'quarantined')
  and ($1::text[] is null or o.collection_name = any ($1::text[]))
