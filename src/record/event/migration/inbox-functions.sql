-- Marks notifications of one recipient as read by the acting person, here and in the host's event_read.
-- Without ids: all unread ones.
create function {{trust}}.gcos_read(p_recipient text, p_id bigint[])
returns bigint
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  v_at constant timestamptz := {{trust}}.gcos_now();
  v_person constant text := {{trust}}.gcos_require_actor('operate');
  v_event uuid[];
  v_read bigint;
begin
  with due as (
    select d.id from {{schema}}.governance_delivery d
    where d.recipient_ref = p_recipient and d.read_at is null and (p_id is null or d.id = any (p_id))
    order by d.id
    for update
  ), done as (
    update {{schema}}.governance_delivery d set read_at = v_at, read_by = v_person from due where d.id = due.id
    returning d.event_id
  )
  select count(*), array_agg(distinct d.event_id) filter (where d.event_id is not null) into v_read, v_event from done d;
  insert into {{schema}}.event_read (event_id, actor_ref, read_at, read_status_source)
  select e.event_id, v_person, v_at, 'gcos'
  from unnest(v_event) as e(event_id)
  where (select {{trust}}.gcos_enter_host())
    and not exists (select from {{schema}}.event_read r where r.event_id = e.event_id and r.actor_ref = v_person)
  order by e.event_id
  on conflict do nothing;
  return v_read;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_read(text, bigint[]) from public;
grant execute on function {{trust}}.gcos_read(text, bigint[]) to {{api}}, {{server}};

-- Subscribes a recipient to signals of the governance domain. Repeating a subscription does not add a row.
create function {{trust}}.gcos_subscribe(p_recipient text, p_type text, p_stream text, p_subject_table text, p_filter text)
returns table (subscription text, created boolean)
language plpgsql
rows 1
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  v_person constant text := {{trust}}.gcos_require_actor('operate');
  -- The host's word for GCOS's stream; null: every stream.
  v_stream constant text := case when p_stream is not null then coalesce({{trust}}.gcos_host_word('stream', p_stream), p_stream) end;
  v_id {{schema}}.governance_subscription.subscription_id%type;
begin
  if (octet_length(p_recipient) between 1 and 500) is not true then
    raise exception 'the name of a recipient takes 1 to 500 bytes' using errcode = 'invalid_parameter_value';
  end if;
  perform {{trust}}.gcos_take_lock('subscribe');
  select b.id into v_id
  from {{schema}}.governance_subscription g join {{schema}}.event_subscription b on b.id = g.subscription_id
  where b.recipient_ref = p_recipient and b.event_domain = 'governance' and b.event_type is not distinct from p_type
    and b.event_stream is not distinct from v_stream and b.scope_subject_table is not distinct from p_subject_table
    and b.scope_filter::jsonb = p_filter::jsonb
  limit 1;
  created := not found;
  if created then
    insert into {{schema}}.event_subscription (recipient_ref, event_domain, event_type, event_stream, scope_subject_table, scope_filter, mute)
    select p_recipient, 'governance', p_type, v_stream, p_subject_table, p_filter::jsonb, false where (select {{trust}}.gcos_enter_host())
    returning id into v_id;
    perform {{trust}}.gcos_leave_host();
    insert into {{schema}}.governance_subscription (subscription_id, recipient_ref, created_by) values (v_id, p_recipient, v_person);
  else
    update {{schema}}.governance_subscription g set ended_at = null, ended_by = null, created_at = {{trust}}.gcos_now(), created_by = v_person
    where g.subscription_id = v_id and g.ended_at is not null;
    if found then
      created := true;
      update {{schema}}.event_subscription b set mute = false where (select {{trust}}.gcos_enter_host()) and b.id = v_id;
      perform {{trust}}.gcos_leave_host();
    end if;
  end if;
  subscription := v_id::text;
  return next;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_subscribe(text, text, text, text, text) from public;
grant execute on function {{trust}}.gcos_subscribe(text, text, text, text, text) to {{api}}, {{server}};

-- Mutes, unmutes or ends subscriptions made through GCOS. The function deletes no host row: an ended
-- subscription stays as a muted row.
create function {{trust}}.gcos_mute(p_recipient text, p_subscription text, p_type text, p_stream text, p_mute boolean, p_end boolean)
returns bigint
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  v_person constant text := {{trust}}.gcos_require_actor('operate');
  v_changed bigint;
begin
  with chosen as (
    select b.id from {{schema}}.event_subscription b join {{schema}}.governance_subscription g on g.subscription_id = b.id
    where g.recipient_ref = p_recipient and b.recipient_ref = p_recipient and b.event_domain = 'governance' and g.ended_at is null
      and (p_subscription is null or b.id::text = p_subscription)
      and (p_type is null or b.event_type = p_type) and (p_stream is null or b.event_stream = coalesce({{trust}}.gcos_host_word('stream', p_stream), p_stream))
  ), muted as (
    update {{schema}}.event_subscription b set mute = p_mute or p_end from chosen c
    where (select {{trust}}.gcos_enter_host()) and b.id = c.id returning b.id
  ), noted as (
    update {{schema}}.governance_subscription g set muted_at = case when p_mute and not p_end then {{trust}}.gcos_now() end,
      muted_by = case when p_mute and not p_end then v_person end, ended_at = case when p_end then {{trust}}.gcos_now() end,
      ended_by = case when p_end then v_person end
    from chosen c where g.subscription_id = c.id
  )
  select count(*) into v_changed from muted;
  return v_changed;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_mute(text, text, text, text, boolean, boolean) from public;
grant execute on function {{trust}}.gcos_mute(text, text, text, text, boolean, boolean) to {{api}}, {{server}};

-- Escalates each notification that is unread for longer than its severity allows to the council, once. Above
-- the ceiling of a window the rest becomes one digest.
create function {{trust}}.gcos_escalate()
returns bigint
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  v_at constant timestamptz := {{trust}}.gcos_now();
  v_limits record;
  v_escalated bigint;
  v_folded bigint;
  v_severity text;
begin
  select l.ceiling, l.window_start, l.council into v_limits from {{trust}}.gcos_notification_limits(v_at) l;
  with due as (
    select d.id
    from {{trust}}.governance_setting s
    cross join lateral jsonb_each_text(s.setting_value -> 'sla') as l(severity, allowed)
    join {{schema}}.governance_delivery d on d.severity = l.severity and d.delivered_at + l.allowed::interval < v_at
    where s.setting_key = 'event.notification' and d.read_at is null and d.escalated_at is null and d.kind <> 'escalation'
      and d.recipient_ref <> v_limits.council
      and not exists (select from {{schema}}.event_read r where r.event_id = d.event_id and r.actor_ref = d.recipient_ref)
    order by d.id
    for update of d skip locked
  ), marked as (
    update {{schema}}.governance_delivery d set escalated_at = v_at from due where d.id = due.id
    returning d.id, d.event_id, d.event_type, d.canonical_address, d.severity, d.signals, d.window_start, d.recipient_ref
  ), fresh as (
    -- A signal that several recipients left unread is escalated once.
    select distinct on (coalesce(m.event_id::text, m.id::text)) m.id, m.event_id, m.event_type, m.canonical_address, m.severity, m.signals,
      m.window_start, m.recipient_ref
    from marked m
    where m.event_id is null or not exists (
      select from {{schema}}.governance_delivery d
      where d.event_id = m.event_id and d.recipient_ref = v_limits.council and d.kind = 'escalation')
    order by coalesce(m.event_id::text, m.id::text), m.recipient_ref
  ), placed as (
    select f.id, f.event_id, f.event_type, f.canonical_address, f.severity, f.signals, f.window_start, f.recipient_ref,
      row_number() over (order by array_position(array['critical', 'high', 'medium', 'low'], f.severity), f.id) + (
        select count(*) from {{schema}}.governance_delivery d
        where d.recipient_ref = v_limits.council and d.kind = 'escalation'
          and d.delivered_at >= v_limits.window_start and d.delivered_at <= v_at) as place
    from fresh f
  ), notified as (
    insert into {{schema}}.governance_delivery (kind, recipient_ref, event_id, event_type, canonical_address, severity, signals, window_start,
      delivered_at, escalated_from)
    select 'escalation', v_limits.council, p.event_id, p.event_type, p.canonical_address, p.severity, p.signals, p.window_start, v_at,
      p.recipient_ref
    from placed p
    where p.place <= v_limits.ceiling
    order by p.event_id, p.recipient_ref
    on conflict do nothing
  )
  select count(*), sum(p.signals) filter (where p.place > v_limits.ceiling),
    (array['critical', 'high', 'medium', 'low'])[min(array_position(array['critical', 'high', 'medium', 'low'], p.severity))
      filter (where p.place > v_limits.ceiling)]
  into v_escalated, v_folded, v_severity
  from placed p;
  if v_folded > 0 then
    perform {{trust}}.gcos_add_to_digests(array[v_limits.council], array[v_folded], array[v_severity], v_limits.window_start, v_at);
  end if;
  return v_escalated;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_escalate() from public;
grant execute on function {{trust}}.gcos_escalate() to {{worker}};
