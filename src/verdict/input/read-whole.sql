-- Collections that are not accepted as a whole.
select s.collection_name, s.input_state, s.scopes
from governance_input_state s
where s.entity_code is null and s.cured_at is null
