-- Which collections have a contract, and whether it asks for more than fields that are there.
select c.collection_name,
  c.code_pattern is not null or c.code_length is not null or c.max_age is not null
    or c.required_fields && array['dot_origin', 'composition_level'] as strict
from governance_input_contract c
order by c.collection_name
