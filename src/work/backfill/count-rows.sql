-- How many live rows of state there are, how many objects have one, and how many groups.
select
  (select count(*) from governance_candidate_state s where s.row_state in ('active', 'retired')) as groups,
  coalesce(sum(o.rows), 0)::bigint as object_rows, count(*) as objects
from (
  select count(*) as rows
  from governance_candidate_object c
  where c.row_state in ('active', 'retired')
  group by c.object_key
) as o
