-- name: endInterrupted
-- Runs that were killed: closing runs (:closing), or scans of the backlog. The caller holds their lease, so
-- every run except :run_id has ended.
update candidate_scan_run r
set status = 'failed', finished_at = :at::timestamptz, error = :error::text
where (r.kind = 'backfill' or r.mode = 'full') = :closing::boolean and r.status = 'running' and r.run_id <> :run_id::text
returning r.run_id

-- name: endDead
-- Runs that were killed: closing runs (:closing), or scans of the backlog, that are running although no
-- process holds the lease :worker of :source.
update candidate_scan_run r
set status = 'failed', finished_at = :at::timestamptz, error = :error::text
where (r.kind = 'backfill' or r.mode = 'full') = :closing::boolean and r.status = 'running' and not exists (
  select from gov_worker_lease l
  where l.worker = :worker::text and l.source = :source::text and gcos_lease_is_held(l.released, l.expires_at))
returning r.run_id
