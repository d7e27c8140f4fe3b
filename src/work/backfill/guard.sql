-- name: readLoad
-- The load of the server: how many sessions have waited for a lock for more than a second, and how far the
-- slowest replica is behind. pg_locks shows all sessions. pg_stat_replication shows the lag only to roles
-- with the privileges of pg_monitor; for other roles it is NULL and counts as 0.
select
  (select count(distinct l.pid) from pg_locks l
    where not l.granted and l.waitstart < clock_timestamp() - interval '1 second') as lock_waits,
  (select coalesce(max(extract(epoch from r.replay_lag)), 0)::float8 from pg_stat_replication r) as replication_lag_seconds
