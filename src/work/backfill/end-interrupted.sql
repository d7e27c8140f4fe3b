-- Runs that were killed: whoever holds the lease is the only one there is, but for $1.
update candidate_scan_run r
set status = 'failed', finished_at = $2::timestamptz, error = 'the process ended without saying so'
where r.kind = 'backfill' and r.status = 'running' and r.run_id <> $1::text
returning r.run_id
