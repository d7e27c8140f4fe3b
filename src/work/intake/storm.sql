-- name: countDirtied
-- How many groups the host's changes have marked in the :seconds seconds before :at. What GCOS marks by
-- itself is no storm: an activation, an exception, a rebase, a snapshot that is gone.
select count(*) as dirtied
from governance_candidate_state c
where c.row_state in ('active', 'retired') and c.dirty and c.dirtied_at > :at::timestamptz - make_interval(secs => :seconds::float8)
  and c.dirty_reason not in ('handoff:rebased', 'ruleset_bump', 'snapshot_gone', 'unwatched', 'withheld')
  and c.dirty_reason not like 'gate:%' and c.dirty_reason not like 'exception%'

-- name: countLive
select count(*) as total from governance_candidate_state c where c.row_state in ('active', 'retired')
