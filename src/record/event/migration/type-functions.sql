-- Registers signal types, inactive, with one audit row per batch. Existing types stay unchanged. Only the
-- installation, which has no acting person yet, and gcos_register_types call it.
create function {{trust}}.gcos_add_types(p_type text[], p_stream text[], p_severity text[], p_description text[], p_heartbeat boolean[],
  p_person text)
returns setof text
language plpgsql
rows 10
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  stranger text;
  added text[];
begin
  select t into stranger from unnest(p_type) as t
  where (t ~ E'^[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)+$' and t not like 'gcos.%' and length(t) <= 200) is not true limit 1;
  if found then
    raise exception 'not a signal type that can be registered: %', coalesce(stranger, 'null') using errcode = 'invalid_parameter_value';
  end if;
  lock table {{schema}}.event_type_registry in exclusive mode;
  with new as (
    insert into {{schema}}.event_type_registry (event_domain, event_type, event_stream, delivery_lane, default_severity, description, active)
    select 'governance', t.event_type,
      coalesce({{trust}}.gcos_host_word('stream', t.stream), t.stream),
      coalesce({{trust}}.gcos_host_word('lane', 'immediate'), 'immediate'), {{trust}}.gcos_host_word('event_severity', t.severity),
      t.description, false
    from unnest(p_type, p_stream, p_severity, p_description) as t(event_type, stream, severity, description)
    where (select {{trust}}.gcos_enter_host()) and not exists (
      select from {{schema}}.event_type_registry r where r.event_domain = 'governance' and r.event_type = t.event_type)
    order by t.event_type
    returning event_type
  )
  select array_agg(n.event_type::text order by n.event_type) into added from new n;
  perform {{trust}}.gcos_leave_host();
  -- A row with exactly GCOS's description was left by an earlier installation and belongs to GCOS; any other
  -- row belongs to the host.
  insert into {{schema}}.governance_signal_type (event_type, stream, severity, heartbeat, registered_by)
  select t.event_type, t.stream, t.severity, t.heartbeat, coalesce(p_person, session_user)
  from unnest(p_type, p_stream, p_severity, p_heartbeat, p_description) as t(event_type, stream, severity, heartbeat, description)
  where exists (
    select from {{schema}}.event_type_registry r
    where r.event_domain = 'governance' and r.event_type = t.event_type and r.description = t.description)
  on conflict (event_type) do nothing;
  if added is null then
    return;
  end if;
  perform {{trust}}.gcos_audit(array['governance_event_type'], array['governance'], array['register'],
    array[jsonb_build_object('count', cardinality(added), 'types', added)::text], p_person);
  return query select unnest(added);
end
$gcos_function$;
revoke all on function {{trust}}.gcos_add_types(text[], text[], text[], text[], boolean[], text) from public;

-- Registers signal types on behalf of the acting person.
create function {{trust}}.gcos_register_types(p_type text[], p_stream text[], p_severity text[], p_description text[],
  p_heartbeat boolean[])
returns setof text
language plpgsql
rows 10
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  v_person constant text := {{trust}}.gcos_require_actor('operate');
begin
  return query select a.registered from {{trust}}.gcos_add_types(p_type, p_stream, p_severity, p_description, p_heartbeat,
    v_person) as a(registered);
end
$gcos_function$;
revoke all on function {{trust}}.gcos_register_types(text[], text[], text[], text[], boolean[]) from public;
grant execute on function {{trust}}.gcos_register_types(text[], text[], text[], text[], boolean[]) to {{api}}, {{server}};

-- Activates or deactivates signal types. It locks the whole table first, because emitters hold share locks on
-- the rows all the time and would starve a plain update. The lock waits for transactions that emit, so every
-- signal in the outbox was written while its type was active. It never switches types that the host
-- registered itself.
create function {{trust}}.gcos_set_types_active(p_type text[], p_active boolean)
returns setof text
language plpgsql
rows 10
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  v_person constant text := {{trust}}.gcos_require_actor('operate');
  changed text[];
begin
  lock table {{schema}}.event_type_registry in exclusive mode;
  with done as (
    update {{schema}}.event_type_registry r set active = p_active
    where (select {{trust}}.gcos_enter_host()) and r.event_domain = 'governance' and r.event_type = any (p_type) and r.event_type not like 'gcos.%'
      and r.active is distinct from p_active
      and exists (select from {{schema}}.governance_signal_type k where k.event_type = r.event_type)
    returning r.event_type
  )
  select array_agg(d.event_type::text order by d.event_type) into changed from done d;
  perform {{trust}}.gcos_leave_host();
  if changed is null then
    return;
  end if;
  perform {{trust}}.gcos_audit(array['governance_event_type'], array['governance'],
    array[case when p_active then 'activate' else 'deactivate' end],
    array[jsonb_build_object('count', cardinality(changed), 'types', changed)::text], v_person);
  return query select unnest(changed);
end
$gcos_function$;
revoke all on function {{trust}}.gcos_set_types_active(text[], boolean) from public;
grant execute on function {{trust}}.gcos_set_types_active(text[], boolean) to {{api}}, {{server}};
