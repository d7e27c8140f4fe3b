-- name: endInterrupted
-- Runs that were killed. The caller holds the lease, so every run except :run_id has ended.
update candidate_scan_run r
set status = 'failed', finished_at = :at::timestamptz, error = 'the process ended without saying so'
where r.kind = 'backfill' and r.status = 'running' and r.run_id <> :run_id::text
returning r.run_id
