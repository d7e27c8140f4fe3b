-- name: countDirtied
-- How many groups were marked in the :seconds seconds before :at, and how many groups exist.
select count(*) filter (where c.dirty and c.dirtied_at > :at::timestamptz - make_interval(secs => :seconds::float8)) as dirtied,
  count(*) as total
from governance_candidate_state c
where c.row_state in ('active', 'retired')
