-- name: readKept
-- What is kept about single objects, whether it still holds or not.
-- nullable: quarantined_by
-- not null: entity_code
select s.collection_name, s.entity_code, s.input_state, s.cause, s.cured_at is not null as cured, s.relapses,
  s.quarantined_at is not null as quarantined, s.quarantined_by
from governance_input_state s
where s.entity_code is not null
