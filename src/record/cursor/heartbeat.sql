-- name: tickRow
-- Tags the transaction first: a takeover can end one that waits for the row.
-- nullable: tag, :tag, :source, :lease_owner, :progress_value, :lag_seconds, :error
select case when :tag::text is not null then set_config('application_name', :tag, true) end as tag,
  gcos_tick(:worker::text, :source::text, :status::text, :state::text, :lease_owner::text, :progress_value::text, :lag_seconds::float8, :error::text, :succeeded::boolean) as ticked

-- name: endHeartbeatRow
select gcos_end_heartbeat(:worker::text, :source::text, :error::text) as ended

-- name: heartbeatRows
-- For each GCOS worker at the time :at: the seconds since its last tick, and the seconds without progress
-- while it had work.
-- nullable: source, state, lease_owner, last_tick_at, last_tick_status, progress_value, progress_at
-- nullable: lag_seconds, silent_seconds, stalled_seconds, last_success_at, success_seconds, failing_since
-- nullable: failing_seconds, error
select h.executor_name, coalesce(h.metadata ->> 'worker', substr(h.executor_name, 6)) as worker, h.metadata ->> 'source' as source,
  h.metadata ->> 'state' as state, h.lease_owner, h.last_tick_at, h.last_tick_status,
  h.metadata #>> '{progress,value}' as progress_value,
  (h.metadata #>> '{progress,at}')::timestamptz as progress_at,
  (h.metadata ->> 'lag_seconds')::float8 as lag_seconds, (h.metadata ->> 'last_success_at')::timestamptz as last_success_at,
  (h.metadata ->> 'failing_since')::timestamptz as failing_since, h.metadata ->> 'error' as error,
  extract(epoch from :at::timestamptz - (h.metadata ->> 'last_success_at')::timestamptz)::float8 as success_seconds,
  extract(epoch from :at::timestamptz - (h.metadata ->> 'failing_since')::timestamptz)::float8 as failing_seconds,
  extract(epoch from :at::timestamptz - h.last_tick_at)::float8 as silent_seconds,
  case when (h.metadata ->> 'lag_seconds')::float8 > 0 then extract(epoch from :at::timestamptz - greatest(
    (h.metadata #>> '{progress,at}')::timestamptz, (h.metadata ->> 'running_since')::timestamptz,
    (h.metadata ->> 'lag_since')::timestamptz))::float8 end as stalled_seconds
from queue_heartbeat h
where h.executor_kind = 'gcos' and h.executor_name like 'gcos\_%'
order by h.executor_name
