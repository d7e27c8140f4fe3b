-- How long each of GCOS's workers has been silent, and how long it has had work without getting on, at the time $1.
select h.executor_name, coalesce(h.metadata ->> 'worker', substr(h.executor_name, 6)) as worker, h.metadata ->> 'source' as source,
  h.metadata ->> 'state' as state, h.lease_owner, h.last_tick_at, h.last_tick_status,
  h.metadata #>> '{progress,value}' as progress_value,
  (h.metadata #>> '{progress,at}')::timestamptz as progress_at,
  (h.metadata ->> 'lag_seconds')::float8 as lag_seconds,
  extract(epoch from $1::timestamptz - h.last_tick_at)::float8 as silent_seconds,
  case when (h.metadata ->> 'lag_seconds')::float8 > 0 then extract(epoch from $1::timestamptz - greatest(
    (h.metadata #>> '{progress,at}')::timestamptz, (h.metadata ->> 'running_since')::timestamptz,
    (h.metadata ->> 'lag_since')::timestamptz))::float8 end as stalled_seconds
from queue_heartbeat h
where h.executor_kind = 'gcos' and h.executor_name like 'gcos\_%'
order by h.executor_name
