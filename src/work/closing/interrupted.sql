-- name: endInterrupted
-- Closing runs that were killed. The caller holds the lease, so every run except :run_id has ended.
update candidate_scan_run r
set status = 'failed', finished_at = :at::timestamptz, error = :error::text
where (r.kind = 'backfill' or r.mode = 'full') and r.status = 'running' and r.run_id <> :run_id::text
returning r.run_id

-- name: endDead
-- Closing runs that were killed: they are running, and no process holds the lease :worker of :source.
update candidate_scan_run r
set status = 'failed', finished_at = :at::timestamptz, error = :error::text
where (r.kind = 'backfill' or r.mode = 'full') and r.status = 'running' and not exists (
  select from gov_worker_lease l
  where l.worker = :worker::text and l.source = :source::text and gcos_lease_is_held(l.released, l.expires_at))
returning r.run_id
