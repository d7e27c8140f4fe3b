-- name: readRows
-- nullable: kind, dirty_reason
select m.source, m.action, m.kind, m.dimensions, m.dirty_reason
from governance_handoff_map m
