-- name: endInterrupted
-- Runs that were killed: closing runs (:closing), or scans of the backlog. The caller holds their lease, so
-- every run except :run_id has ended.
select r as run_id from gcos_end_runs(:closing::boolean, :run_id::text, null, null, :error::text) as r

-- name: endDead
-- Runs that were killed: closing runs (:closing), or scans of the backlog, that are running although no
-- process holds the lease :worker of :source.
select r as run_id from gcos_end_runs(:closing::boolean, null, :worker::text, :source::text, :error::text) as r
