-- name: readTroubles
-- Cursors that were asked to go backwards and have not moved forward since, and leases that have been held
-- undisturbed for :quiet_seconds seconds at the time :at.
-- nullable: regressed_at
select c.worker, c.source, c.round, c.regressed_at,
  coalesce(l.acquired_at <= :at::timestamptz - make_interval(secs => :quiet_seconds::float8), true) as quiet
from gov_worker_cursor c
left join gov_worker_lease l on l.worker = c.worker and l.source = c.source
order by c.worker, c.source, c.round
