-- How many groups were marked in the $2 seconds before $1, and how many there are.
select count(*) filter (where c.dirty and c.dirtied_at > $1::timestamptz - make_interval(secs => $2::float8)) as dirtied,
  count(*) as total
from governance_candidate_state c
where c.row_state in ('active', 'retired')
