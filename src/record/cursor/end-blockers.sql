-- Ends what backend $1 waits for in the end, as far as it is of our own role: a frozen holder, not another one that
-- queues behind it. Only while the lease is expired or given up: somebody who is alive is never ended.
with recursive queue as (
  select $1::int4 as pid
  union
  select b.pid from queue q cross join lateral unnest(pg_blocking_pids(q.pid)) as b(pid)
)
select a.pid, pg_terminate_backend(a.pid) as ended
from queue q
join pg_stat_activity a on a.pid = q.pid and a.usename = current_user
where q.pid <> $1::int4
  and cardinality(pg_blocking_pids(q.pid)) = 0
  and exists (
    select from gov_worker_lease l
    where l.worker = $2::text and l.source = $3::text and (l.released or l.expires_at <= clock_timestamp())
  )
