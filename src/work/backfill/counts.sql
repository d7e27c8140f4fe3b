-- name: countRows
-- Counts the live state rows, the objects that have one, and the groups.
select
  (select count(*) from governance_candidate_state s where s.row_state in ('active', 'retired')) as groups,
  coalesce(sum(o.rows), 0)::bigint as object_rows, count(*) as objects
from (
  select count(*) as rows
  from governance_candidate_object c
  where c.row_state in ('active', 'retired')
  group by c.object_key
) as o

-- name: countFailed
-- Counts the births that are set aside: those waiting for a retry, and dead letters.
select
  count(*) filter (where r.dead_lettered_at is null) as retrying,
  count(*) filter (where r.dead_lettered_at is not null) as dead
from gov_worker_retry r
where r.worker = 'closing_run' and r.completed_at is null

-- name: countVerdicts
-- Counts the live rows, of groups and of objects, by what they say.
select count(*) filter (where r.candidate_verdict = 'relevant') as relevant,
  count(*) filter (where r.coverage_outcome = 'orphan') as orphans,
  count(*) filter (where r.coverage_outcome = 'exception') as exceptions,
  count(*) filter (where r.candidate_verdict = 'retired') as retired,
  count(*) filter (where r.candidate_verdict = 'class_0') as class_0,
  count(*) filter (where r.candidate_verdict = 'deferred_birth') as deferred_birth,
  count(*) filter (where r.recompute_status = 'failed') as failed
from (
  select c.candidate_verdict, c.coverage_outcome, c.recompute_status
  from governance_candidate_state c
  where c.row_state in ('active', 'retired')
  union all
  select o.candidate_verdict, o.coverage_outcome, o.recompute_status
  from governance_candidate_object o
  where o.row_state in ('active', 'retired')
) as r
