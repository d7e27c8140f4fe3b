-- Whether the watermark p_id lies before p_old_id. Ids compare by the type of their source; null sorts first.
create function {{trust}}.gcos_watermark_before(p_id_type text, p_id text, p_old_id text)
returns boolean
language sql
immutable
set search_path = pg_catalog, pg_temp
as $gcos_function$
  select case
    when p_old_id is null then false
    when p_id is null then true
    when p_id_type = 'integer' then p_id::numeric < p_old_id::numeric
    else p_id::uuid < p_old_id::uuid
  end
$gcos_function$;

-- Ends every work transaction. It raises errors instead of returning a status, so that a caller that ignores
-- the result cannot commit: UG001 the lease is lost, UG002 the watermark would go backwards.
create function {{trust}}.gcos_advance_cursor(p_worker text, p_source text, p_round text, p_fence bigint, p_moves boolean,
  p_watermark_id text, p_horizon xid8, p_events_seen bigint, p_attempts_written bigint,
  p_phase text, p_summary jsonb, p_metadata jsonb)
returns boolean
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  former record;
begin
  select c.watermark_id, c.id_type, c.horizon into former
  from {{schema}}.gov_worker_cursor c
  where c.worker = p_worker and c.source = p_source and c.round = p_round and c.fence = p_fence
  for no key update;
  if not found then
    raise exception 'the lease of %/% with fence % is lost', p_worker, p_source, p_fence using errcode = 'UG001';
  end if;
  if p_moves and {{trust}}.gcos_watermark_before(former.id_type, p_watermark_id, former.watermark_id) then
    raise exception '%/%/%: % lies before %', p_worker, p_source, p_round, coalesce(p_watermark_id, '-'),
      coalesce(former.watermark_id, '-') using errcode = 'UG002';
  end if;
  if p_horizon < former.horizon then
    raise exception '%/%/%: horizon % lies before %', p_worker, p_source, p_round, p_horizon, former.horizon using errcode = 'UG002';
  end if;
  update {{schema}}.gov_worker_cursor c
  set watermark_id = case when p_moves then p_watermark_id else c.watermark_id end,
    horizon = coalesce(p_horizon, c.horizon),
    events_seen = c.events_seen + p_events_seen,
    attempts_written = c.attempts_written + p_attempts_written,
    phase = coalesce(p_phase, c.phase),
    last_run_at = {{trust}}.gcos_now(),
    last_run_summary = coalesce(p_summary, c.last_run_summary),
    metadata = coalesce(p_metadata, c.metadata),
    -- A noted regression ends only when the watermark moves forward or, without a watermark, the horizon
    -- does.
    regressed_at = case
      when p_moves and {{trust}}.gcos_watermark_before(c.id_type, c.watermark_id, p_watermark_id) then null
      when c.watermark_id is null and p_horizon > c.horizon then null
      else c.regressed_at
    end
  where c.worker = p_worker and c.source = p_source and c.round = p_round;
  return true;
end
$gcos_function$;

-- Records for the watcher that a worker tried to move a cursor backwards. The next advance that moves the
-- cursor forward clears the record.
create function {{trust}}.gcos_note_regression(p_worker text, p_source text, p_round text, p_fence bigint)
returns boolean
language sql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
  update {{schema}}.gov_worker_cursor
  set regressed_at = {{trust}}.gcos_now()
  where worker = p_worker and source = p_source and round = p_round and fence = p_fence
  returning true
$gcos_function$;

-- The only function that moves a cursor backwards; it always writes an audit row. The holder passes its fence
-- and keeps the lease. For any other caller (null) the function increments the fence and releases the lease,
-- so that a running round cannot overwrite the new position. The audit row names the person of the login.
-- UG001 the lease is lost, UG003 there is no such cursor.
create function {{trust}}.gcos_reset_cursor(p_worker text, p_source text, p_round text, p_fence bigint, p_watermark_id text,
  p_horizon xid8, p_reason text)
returns boolean
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  former record;
begin
  if coalesce(btrim(p_reason), '') = '' then
    raise exception 'a reset needs a reason' using errcode = 'invalid_parameter_value';
  end if;
  if p_fence is null then
    update {{schema}}.gov_worker_lease l set fence = l.fence + 1, released = true, expires_at = clock_timestamp()
    where l.worker = p_worker and l.source = p_source;
    update {{schema}}.gov_worker_cursor c set fence = l.fence
    from {{schema}}.gov_worker_lease l
    where l.worker = p_worker and l.source = p_source and c.worker = l.worker and c.source = l.source;
  end if;
  select c.watermark_id, c.horizon into former
  from {{schema}}.gov_worker_cursor c
  where c.worker = p_worker and c.source = p_source and c.round = p_round and c.fence = coalesce(p_fence, c.fence)
  for no key update;
  if not found then
    if p_fence is null then
      raise exception 'there is no cursor %/%/%', p_worker, p_source, p_round using errcode = 'UG003';
    end if;
    raise exception 'the lease of %/% with fence % is lost', p_worker, p_source, p_fence using errcode = 'UG001';
  end if;
  update {{schema}}.gov_worker_cursor c
  set watermark_id = p_watermark_id, horizon = p_horizon, regressed_at = null
  where c.worker = p_worker and c.source = p_source and c.round = p_round;
  perform {{trust}}.gcos_audit(array['governance_cursor'], array[p_worker || '/' || p_source || '/' || p_round], array['replay'],
    array[jsonb_build_object('reason', p_reason,
      'from', jsonb_build_object('id', former.watermark_id, 'horizon', former.horizon::text),
      'to', jsonb_build_object('id', p_watermark_id, 'horizon', p_horizon::text))::text],
    (select a.person_ref from {{trust}}.gcos_actor(null, 'operate') a));
  return true;
end
$gcos_function$;

revoke all on function {{trust}}.gcos_watermark_before(text, text, text) from public;
revoke all on function {{trust}}.gcos_advance_cursor(text, text, text, bigint, boolean, text, xid8, bigint, bigint, text, jsonb, jsonb) from public;
revoke all on function {{trust}}.gcos_note_regression(text, text, text, bigint) from public;
revoke all on function {{trust}}.gcos_reset_cursor(text, text, text, bigint, text, xid8, text) from public;
grant execute on function {{trust}}.gcos_advance_cursor(text, text, text, bigint, boolean, text, xid8, bigint, bigint, text, jsonb, jsonb) to {{worker}};
grant execute on function {{trust}}.gcos_note_regression(text, text, text, bigint) to {{worker}};
grant execute on function {{trust}}.gcos_reset_cursor(text, text, text, bigint, text, xid8, text) to {{worker}};
