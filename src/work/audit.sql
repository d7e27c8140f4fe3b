-- name: readAuditRow
-- The last closed ledger, and by the server's time: whether it is older than :every_seconds, or will be
-- before the window from :opens_at to :closes_at ends (null: no window is open); for how long; and whether it
-- is older than :overdue_seconds. A ledger from the future (the clock was set back) is due for replacement at
-- once, and overdue if it is further away than the limit. Before the first full scan an audit is due, too.
-- nullable: closed_at, :opens_at, :closes_at
select l.closed_at, l.overdue, coalesce(abs(l.age), 0)::float8 as age_seconds,
  l.closed_at is null or l.never or l.age < 0 or l.age >= :every_seconds::float8
    or coalesce(l.closed_at < :opens_at::timestamptz
      and l.closed_at <= :closes_at::timestamptz - make_interval(secs => :every_seconds::float8), false) as due,
  greatest(coalesce(l.age - :every_seconds::float8, 0), 0) as due_seconds
from (
  select c.closed_at, extract(epoch from gcos_now() - c.closed_at)::float8 as age,
    coalesce(abs(extract(epoch from gcos_now() - c.closed_at)) > :overdue_seconds::float8, false) as overdue,
    not exists (select from candidate_scan_run r where r.ledger is not null and r.mode = 'full' and r.status = 'completed') as never
  from (select gcos_ledger_closed_at() as closed_at) as c
) as l
