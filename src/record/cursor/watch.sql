-- name: readTroubles
-- All cursors with their unresolved regression, if any, and whether at the time :at the lease has had the
-- same holder for :quiet_seconds seconds.
-- nullable: regressed_at
select c.worker, c.source, c.round, c.regressed_at,
  coalesce(l.acquired_at <= :at::timestamptz - make_interval(secs => :quiet_seconds::float8), true) as quiet
from gov_worker_cursor c
left join gov_worker_lease l on l.worker = c.worker and l.source = c.source
order by c.worker, c.source, c.round
