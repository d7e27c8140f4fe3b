-- The snapshot that the rows in force were judged under last, and how many relevant units coverage has not been able to say anything about.
select max(c.source_snapshot_ref) as snapshot,
  count(*) filter (where c.weight = 1 and c.candidate_verdict = 'relevant' and coalesce(c.coverage_outcome, 'not_evaluated') = 'not_evaluated')
  + (
    select count(*) from governance_candidate_object o
    where o.row_state = 'active' and o.weight = 1 and o.candidate_verdict = 'relevant'
      and coalesce(o.coverage_outcome, 'not_evaluated') = 'not_evaluated') as not_evaluated
from governance_candidate_state c
where c.row_state = 'active'
