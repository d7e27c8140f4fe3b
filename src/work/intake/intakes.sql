-- name: countWaiting
-- The backlog: items that wait for a retry, and dirty groups and objects.
select
  (select count(*) from gov_worker_retry r
    where r.worker = 'intake' and r.completed_at is null and r.dead_lettered_at is null) as retrying,
  (select count(*) from gov_worker_retry r
    where r.worker = 'intake' and r.completed_at is null and r.dead_lettered_at is not null) as dead_lettered,
  (select count(*) from governance_candidate_state c where c.dirty and c.row_state in ('active', 'retired')) as dirty_groups,
  (select count(*) from governance_candidate_object c where c.dirty and c.row_state in ('active', 'retired')) as dirty_objects
