-- The snapshot that the rows in force were judged under last.
select max(c.source_snapshot_ref) as snapshot
from governance_candidate_state c
where c.row_state = 'active'
