-- name: readCompletion
-- Whether any backfill has begun, whether one was completed, and whether the last closing run that ended has
-- closed a ledger.
select exists (select from candidate_scan_run r where r.kind = 'backfill') as begun,
  exists (select from candidate_scan_run r where r.kind = 'backfill' and r.status = 'completed') as completed,
  coalesce((
    select r.status = 'completed'
    from candidate_scan_run r
    where (r.kind = 'backfill' or r.mode = 'full') and r.status <> 'running'
    order by r.started_at desc, r.run_id desc
    limit 1), false) as closed
