-- Records a sign of life with the last progress. Progress counts only if its value changed. The row also
-- stores since when the worker runs and since when it has work to do, so that an idle worker is not reported
-- as stalled; when a round last succeeded (p_succeeded), and since when all rounds fail.
create function {{trust}}.gcos_tick(p_worker text, p_source text, p_status text, p_state text, p_lease_owner text,
  p_progress_value text, p_lag_seconds double precision, p_error text, p_succeeded boolean)
returns boolean
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  executor constant text := 'gcos_' || p_worker || coalesce(':' || p_source, '');
  moment constant timestamptz := {{trust}}.gcos_now();
  locked boolean := false;
begin
  loop
    update {{schema}}.queue_heartbeat h
    -- A tick without a lag keeps the last reported lag.
    set last_tick_at = moment, last_tick_status = p_status, lease_owner = p_lease_owner, ticks_total = h.ticks_total + 1,
      metadata = jsonb_build_object('worker', p_worker, 'source', p_source, 'state', p_state, 'error', p_error, 'lag_seconds', coalesce(p_lag_seconds, (h.metadata ->> 'lag_seconds')::double precision),
        'progress', case when p_progress_value is null or p_progress_value = h.metadata #>> '{progress,value}' then h.metadata -> 'progress'
          else jsonb_build_object('at', moment, 'value', p_progress_value) end,
        'running_since', case when p_state = 'running' and h.metadata ->> 'state' is distinct from 'running' then to_jsonb(moment)
          else h.metadata -> 'running_since' end,
        'lag_since', case when p_lag_seconds is null then h.metadata -> 'lag_since'
          when p_lag_seconds <= 0 then null
          when coalesce((h.metadata ->> 'lag_seconds')::double precision, 0) <= 0 then to_jsonb(moment)
          else h.metadata -> 'lag_since' end,
        'last_success_at', case when p_succeeded then to_jsonb(moment) else h.metadata -> 'last_success_at' end,
        'failing_since', case when p_succeeded then null
          when p_status = 'error' then coalesce(nullif(h.metadata -> 'failing_since', 'null'), to_jsonb(moment))
          else h.metadata -> 'failing_since' end)
    where (select {{trust}}.gcos_enter_host()) and h.executor_name = executor and h.executor_kind = 'gcos';
    exit when found;
    perform {{trust}}.gcos_leave_host();
    if locked then
      insert into {{schema}}.queue_heartbeat (executor_name, executor_kind, last_tick_at, last_tick_status, lease_owner, ticks_total, metadata)
      select executor, 'gcos', moment, p_status, p_lease_owner, 1,
        jsonb_build_object('worker', p_worker, 'source', p_source, 'state', p_state, 'error', p_error, 'lag_seconds', p_lag_seconds,
          'progress', case when p_progress_value is not null then jsonb_build_object('at', moment, 'value', p_progress_value) end,
          'running_since', moment, 'lag_since', case when p_lag_seconds > 0 then moment end,
          'last_success_at', case when p_succeeded then moment end,
          'failing_since', case when p_status = 'error' and not p_succeeded then moment end)
      where (select {{trust}}.gcos_enter_host());
      exit;
    end if;
    -- The first tick of a worker takes a lock, because the host's table may have no unique key.
    perform {{trust}}.gcos_take_lock('tick');
    locked := true;
  end loop;
  return true;
end
$gcos_function$;

revoke all on function {{trust}}.gcos_tick(text, text, text, text, text, text, double precision, text, boolean) from public;
grant execute on function {{trust}}.gcos_tick(text, text, text, text, text, text, double precision, text, boolean) to {{worker}};

-- Records that a worker whose process died has stopped. Its last tick keeps its time.
create function {{trust}}.gcos_end_heartbeat(p_worker text, p_source text, p_error text)
returns boolean
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  update {{schema}}.queue_heartbeat h
  set lease_owner = null, metadata = h.metadata || jsonb_build_object('state', 'stopped', 'error', p_error)
  where (select {{trust}}.gcos_enter_host())
    and h.executor_name = 'gcos_' || p_worker || coalesce(':' || p_source, '') and h.executor_kind = 'gcos'
    and h.metadata ->> 'state' is distinct from 'stopped';
  return found;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_end_heartbeat(text, text, text) from public;
grant execute on function {{trust}}.gcos_end_heartbeat(text, text, text) to {{worker}};

set local role {{trust_owner}};
-- Pauses or resumes all workers on behalf of the acting person, and audits it. All workers read the setting
-- at the start of every work transaction, and the gate blocks high risk while it says paused. It keeps the
-- last pause and the resume that ended it. Pausing again keeps the first pause: it says since when nothing
-- watches.
create function {{trust}}.gcos_set_paused(p_paused boolean, p_reason text)
returns jsonb
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  actor record;
  state jsonb;
  act jsonb;
begin
  perform {{trust}}.gcos_require_intact('{{trust}}.gcos_audit(text[], text[], text[], text[], text)');
  perform {{trust}}.gcos_commit_durably();
  select a.outcome, a.person_ref, a.login into actor from {{trust}}.gcos_actor(null, 'operate') a;
  if actor.outcome <> 'ok' then
    raise exception 'the login % is mapped to no active person in governance_actor', session_user using errcode = 'insufficient_privilege';
  end if;
  if p_paused is null or p_paused and coalesce(btrim(p_reason), '') = '' then
    raise exception 'a pause needs a reason' using errcode = 'invalid_parameter_value';
  end if;
  select s.setting_value into strict state from {{trust}}.governance_setting s where s.setting_key = 'worker.paused' for update;
  if (state -> 'paused' = 'true') = p_paused then
    return state;
  end if;
  act := jsonb_build_object('by', actor.person_ref, 'login', actor.login, 'reason', nullif(btrim(p_reason), ''), 'at', {{trust}}.gcos_now());
  state := case when p_paused then jsonb_build_object('paused', true, 'pause', act, 'resume', null)
    else jsonb_build_object('paused', false, 'pause', state -> 'pause', 'resume', act) end;
  update {{trust}}.governance_setting s
  set setting_value = state, updated_at = {{trust}}.gcos_now(), updated_by = actor.login
  where s.setting_key = 'worker.paused';
  perform {{trust}}.gcos_audit(array['governance_worker'], array['all'], array[case when p_paused then 'pause' else 'resume' end],
    array[(state - 'paused')::text], actor.person_ref);
  return state;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_set_paused(boolean, text) from public;
grant execute on function {{trust}}.gcos_set_paused(boolean, text) to {{api}}, {{server}};

-- The pause in force: the person, the reason and since when; null: workers may run.
create function {{trust}}.gcos_pause()
returns jsonb
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  return (
    select coalesce(s.setting_value -> 'pause', '{}')
    from {{trust}}.governance_setting s
    where s.setting_key = 'worker.paused' and s.setting_value -> 'paused' is distinct from 'false');
end
$gcos_function$;
revoke all on function {{trust}}.gcos_pause() from public;
grant execute on function {{trust}}.gcos_pause() to {{owner}}, {{reader}}, {{worker}}, {{api}}, {{server}}, {{pruner}};
set local role {{owner}};
