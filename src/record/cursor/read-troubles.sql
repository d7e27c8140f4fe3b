-- Cursors that were asked to go backwards and have not moved forward since, and leases that have been held undisturbed for
-- $2 seconds at the time $1.
select c.worker, c.source, c.round, c.regressed_at,
  coalesce(l.acquired_at <= $1::timestamptz - make_interval(secs => $2::float8), true) as settled
from gov_worker_cursor c
left join gov_worker_lease l on l.worker = c.worker and l.source = c.source
order by c.worker, c.source, c.round
