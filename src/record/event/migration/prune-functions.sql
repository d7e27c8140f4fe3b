-- Gives up held signals that only say that something ran (the ends of runs, and heartbeats), if their type
-- was not active for the days of history.keep: their rows in event_pending count as processed from then on.
-- Every other held signal waits for ever.
create function {{trust}}.gcos_prune_held(p_limit integer)
returns bigint
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  bound constant timestamptz := {{trust}}.gcos_history_bound('held');
  types text[];
  gone bigint;
begin
  select array_agg(o.event_type) into types
  from (
    select t.event_type, (
      select h.held_at from {{schema}}.governance_hold h
      where md5(h.event_type) between md5(t.event_type) and md5(t.event_type) and h.dead_lettered_at is null and not h.parked
      order by md5(h.event_type), h.order_no limit 1) as held_at
    from {{schema}}.governance_signal_type t
    where t.heartbeat or right(t.event_type, 10) = '_completed'
  ) as o
  where o.held_at < bound - interval '1 day';
  if types is null then
    return 0;
  end if;
  -- The promoter takes the same rows.
  perform {{trust}}.gcos_take_lock('promote');
  with old as (
    select h.order_no
    from unnest(types) as t(event_type)
    cross join lateral (
      select q.order_no, q.held_at from {{schema}}.governance_hold q
      where md5(q.event_type) between md5(t.event_type) and md5(t.event_type) and q.dead_lettered_at is null and not q.parked
      order by md5(q.event_type), q.order_no limit p_limit
    ) as h
    where h.held_at < bound
    order by h.order_no limit p_limit
  ), given_up as (
    delete from {{schema}}.governance_hold h using old o where h.order_no = o.order_no returning h.pending_id
  )
  update {{schema}}.event_pending p set processed_at = {{trust}}.gcos_now(), last_error = 'given up: the type was not active in time'
  from given_up g
  where (select {{trust}}.gcos_enter_host()) and p.id = g.pending_id;
  get diagnostics gone = row_count;
  perform {{trust}}.gcos_leave_host();
  perform {{trust}}.gcos_note_pruned('held', gone, bound);
  return gone;
end
$gcos_function$;

-- Deletes notifications that were read or escalated, and escalations that were read, and the dedupe keys of
-- signals, if they are older than the bound.
create function {{trust}}.gcos_prune_deliveries(p_limit integer)
returns bigint
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  bound constant timestamptz := {{trust}}.gcos_history_bound('deliveries');
  gone bigint := 0;
  keys bigint := 0;
begin
  if (select min(d.delivered_at) from {{schema}}.governance_delivery d where d.read_at is not null or d.escalated_at is not null)
    < bound - interval '1 day' then
    delete from {{schema}}.governance_delivery d
    using (
      select o.id from {{schema}}.governance_delivery o
      where (o.read_at is not null or o.escalated_at is not null) and o.delivered_at < bound
      order by o.delivered_at limit p_limit
    ) as old
    where d.id = old.id;
    get diagnostics gone = row_count;
  end if;
  if (select min(k.seen_at) from {{schema}}.governance_signal_key k) < bound - interval '1 day' then
    delete from {{schema}}.governance_signal_key k
    using (
      select o.signal_id from {{schema}}.governance_signal_key o where o.seen_at < bound order by o.seen_at limit p_limit
    ) as old
    where k.signal_id = old.signal_id;
    get diagnostics keys = row_count;
  end if;
  perform {{trust}}.gcos_note_pruned('deliveries', gone, bound);
  perform {{trust}}.gcos_note_pruned('dedupe_keys', keys, bound);
  return gone + keys;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_prune_held(integer), {{trust}}.gcos_prune_deliveries(integer) from public;
grant execute on function {{trust}}.gcos_prune_held(integer), {{trust}}.gcos_prune_deliveries(integer) to {{worker}};
