-- Records a sign of life with the last progress. Progress counts only if its value changed. The row also
-- stores since when the worker runs and since when it has work to do, so that an idle worker is not reported
-- as stalled; when a round last succeeded (p_succeeded), and since when all rounds fail.
create function gcos_tick(p_worker text, p_source text, p_status text, p_state text, p_lease_owner text,
  p_progress_at timestamptz, p_progress_value text, p_lag_seconds double precision, p_error text, p_succeeded boolean, p_at timestamptz)
returns boolean
language plpgsql
security definer
set search_path = {{schema}}, pg_temp
as $gcos_function$
declare
  executor constant text := 'gcos_' || p_worker || coalesce(':' || p_source, '');
  locked boolean := false;
begin
  loop
    update queue_heartbeat h
    -- A tick without a lag keeps the last reported lag.
    set last_tick_at = p_at, last_tick_status = p_status, lease_owner = p_lease_owner, ticks_total = h.ticks_total + 1,
      metadata = jsonb_build_object('worker', p_worker, 'source', p_source, 'state', p_state, 'error', p_error, 'lag_seconds', coalesce(p_lag_seconds, (h.metadata ->> 'lag_seconds')::double precision),
        'progress', case when p_progress_value is null or p_progress_value = h.metadata #>> '{progress,value}' then h.metadata -> 'progress'
          else jsonb_build_object('at', coalesce(p_progress_at, p_at), 'value', p_progress_value) end,
        'running_since', case when p_state = 'running' and h.metadata ->> 'state' is distinct from 'running' then to_jsonb(p_at)
          else h.metadata -> 'running_since' end,
        'lag_since', case when p_lag_seconds is null then h.metadata -> 'lag_since'
          when p_lag_seconds <= 0 then null
          when coalesce((h.metadata ->> 'lag_seconds')::double precision, 0) <= 0 then to_jsonb(p_at)
          else h.metadata -> 'lag_since' end,
        'last_success_at', case when p_succeeded then to_jsonb(p_at) else h.metadata -> 'last_success_at' end,
        'failing_since', case when p_succeeded then null
          when p_status = 'error' then coalesce(nullif(h.metadata -> 'failing_since', 'null'), to_jsonb(p_at))
          else h.metadata -> 'failing_since' end)
    where h.executor_name = executor and h.executor_kind = 'gcos';
    exit when found;
    if locked then
      insert into queue_heartbeat (executor_name, executor_kind, last_tick_at, last_tick_status, lease_owner, ticks_total, metadata)
      values (executor, 'gcos', p_at, p_status, p_lease_owner, 1,
        jsonb_build_object('worker', p_worker, 'source', p_source, 'state', p_state, 'error', p_error, 'lag_seconds', p_lag_seconds,
          'progress', case when p_progress_value is not null then jsonb_build_object('at', coalesce(p_progress_at, p_at), 'value', p_progress_value) end,
          'running_since', p_at, 'lag_since', case when p_lag_seconds > 0 then p_at end,
          'last_success_at', case when p_succeeded then p_at end,
          'failing_since', case when p_status = 'error' and not p_succeeded then p_at end));
      exit;
    end if;
    -- The first tick of a worker takes a lock, because the host's table may have no unique key.
    perform gcos_take_lock('tick');
    locked := true;
  end loop;
  return true;
end
$gcos_function$;

-- Sets the row that all workers read at the start of every work transaction. It records the login of the
-- caller.
create function gcos_set_paused(p_paused boolean, p_reason text)
returns jsonb
language sql
security definer
set search_path = {{schema}}, pg_temp
as $gcos_function$
  update governance_setting
  set setting_value = jsonb_build_object('paused', p_paused, 'reason', p_reason, 'by', session_user, 'at', now()),
    updated_at = now(), updated_by = session_user
  where setting_key = 'worker.paused'
  returning setting_value
$gcos_function$;

revoke all on function gcos_tick(text, text, text, text, text, timestamptz, text, double precision, text, boolean, timestamptz) from public;
revoke all on function gcos_set_paused(boolean, text) from public;
grant execute on function gcos_tick(text, text, text, text, text, timestamptz, text, double precision, text, boolean, timestamptz) to {{worker}};
grant execute on function gcos_set_paused(boolean, text) to {{worker}}, {{api}};
