-- name: readKept
-- The recorded state of single objects, corrected ones included.
-- nullable: quarantined_by
-- not null: entity_code
select s.collection_name, s.entity_code, s.input_state, s.cause, s.cured_at is not null as cured, s.relapses,
  s.quarantined_at is not null as quarantined, s.quarantined_by
from governance_input_state s
where s.entity_code is not null
