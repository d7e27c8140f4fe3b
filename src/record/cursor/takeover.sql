-- name: takeLease
-- nullable: taken_from
select new_fence as fence, new_expiry as expires_at, taken_from
from gcos_take_lease(:worker::text, :source::text, :holder::text, make_interval(secs => :ttl_seconds::float8), :rounds::text[], :id_types::text[])

-- name: ownBackend
select pg_backend_pid() as pid

-- name: endBlockers
-- Terminates the backends at the head of the lock queue of backend :pid, if they belong to the current role:
-- a frozen holder, not a session that waits behind it. Only while the lease is expired or released, so that a
-- live holder is never terminated.
with recursive queue as (
  select :pid::int4 as pid
  union
  select b.pid from queue q cross join lateral unnest(pg_blocking_pids(q.pid)) as b(pid)
)
select a.pid, pg_terminate_backend(a.pid) as ended
from queue q
join pg_stat_activity a on a.pid = q.pid and a.usename = current_user
where q.pid <> :pid::int4
  and cardinality(pg_blocking_pids(q.pid)) = 0
  and exists (
    select from gov_worker_lease l
    where l.worker = :worker::text and l.source = :source::text and not gcos_lease_is_held(l.released, l.expires_at)
  )

-- name: endRemains
-- Terminates the open transactions of former holders of a lease: their tags start with :tag_prefix and end
-- with a lower fence. They cannot commit, but a frozen one holds table locks, and the idle time-out does not
-- end a backend that is blocked while it sends its result.
select a.pid, pg_terminate_backend(a.pid) as ended
from pg_stat_activity a
where a.datname = current_database()
  and a.usename = current_user
  and a.pid <> pg_backend_pid()
  and a.xact_start is not null
  and starts_with(a.application_name, :tag_prefix::text)
  and case when substr(a.application_name, length(:tag_prefix::text) + 1) ~ '^[0-9]{1,18}$'
    then substr(a.application_name, length(:tag_prefix::text) + 1)::int8 < :fence::int8 end
