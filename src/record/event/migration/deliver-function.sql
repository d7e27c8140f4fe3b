-- The limits of notifications at p_at: the ceiling, the beginning of the window, and the council. An invalid
-- setting falls back to the default here; the TypeScript code that reads the setting reports the error.
create function {{trust}}.gcos_notification_limits(p_at timestamptz)
returns table (ceiling bigint, window_start timestamptz, council text)
language sql stable
rows 1
set search_path = pg_catalog, pg_temp
as $gcos_function$
  select case when s.setting_value ->> 'ceiling' ~ '^[0-9]{1,15}$' then (s.setting_value ->> 'ceiling')::bigint else 50 end,
    date_bin(case
      when s.setting_value ->> 'window' ~ '^P(?=[0-9]|T[0-9])([0-9]{1,6}W)?([0-9]{1,6}D)?(T(?=[0-9])([0-9]{1,6}H)?([0-9]{1,6}M)?([0-9]{1,6}S)?)?$'
        and s.setting_value ->> 'window' ~ '[1-9]' then (s.setting_value ->> 'window')::interval
      else interval '1 hour' end, p_at, timestamptz '2000-01-01 00:00:00+00'),
    case when octet_length(s.setting_value ->> 'council') between 1 and 500 then s.setting_value ->> 'council' else 'GOV-COUNCIL' end
  from (select 1) as one left join {{trust}}.governance_setting s on s.setting_key = 'event.notification'
$gcos_function$;
revoke all on function {{trust}}.gcos_notification_limits(timestamptz) from public;

-- Adds signals above the ceiling to the digest of each recipient and window. INVARIANT: it never waits for a
-- row that another emitter has locked, and never fails the caller's transaction: if the digest is locked, or
-- changed since the snapshot of a repeatable-read transaction, it adds a second row; readers add them up.
create function {{trust}}.gcos_add_to_digests(p_recipient text[], p_extra bigint[], p_severity text[], p_window timestamptz, p_at timestamptz)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  v_done text[];
begin
  begin
    with free as (
      select d.id from {{schema}}.governance_delivery d
      where d.kind = 'digest' and d.window_start = p_window and d.recipient_ref = any (p_recipient)
        and d.read_at is null and d.escalated_at is null
      order by d.id
      for update skip locked
    ), first as (
      select min(d.id) as id, d.recipient_ref from {{schema}}.governance_delivery d join free f on f.id = d.id group by d.recipient_ref
    ), grown as (
      update {{schema}}.governance_delivery d
      set signals = d.signals + o.extra, severity = (array['critical', 'high', 'medium', 'low'])[least(
        array_position(array['critical', 'high', 'medium', 'low'], d.severity),
        array_position(array['critical', 'high', 'medium', 'low'], o.severity))]
      from first f join unnest(p_recipient, p_extra, p_severity) as o(recipient_ref, extra, severity) on o.recipient_ref = f.recipient_ref
      where d.id = f.id
      returning d.recipient_ref
    )
    select array_agg(g.recipient_ref) into v_done from grown g;
  exception when serialization_failure then
    v_done := null;
  end;
  insert into {{schema}}.governance_delivery (kind, recipient_ref, severity, signals, window_start, delivered_at)
  select 'digest', o.recipient_ref, o.severity, o.extra, p_window, p_at
  from unnest(p_recipient, p_extra, p_severity) as o(recipient_ref, extra, severity)
  where o.recipient_ref <> all (coalesce(v_done, '{}'))
  order by o.recipient_ref;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_add_to_digests(text[], bigint[], text[], timestamptz, timestamptz) from public;

-- The active bodies among p_bodies, according to the host's registry of bodies; none if it has no such
-- registry.
create function {{trust}}.gcos_known_bodies(p_bodies text[])
returns text[]
language plpgsql stable
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  if (select count(*) from pg_attribute a where a.attrelid = to_regclass('{{schema}}.governance_registry')
      and a.attname in ('code', 'status') and a.attnum > 0 and not a.attisdropped) < 2
    or not has_table_privilege(to_regclass('{{schema}}.governance_registry'), 'select') then
    return '{}';
  end if;
  return array(select g.code::text from {{schema}}.governance_registry g where g.code::text = any (p_bodies) and g.status::text = 'active');
end
$gcos_function$;
revoke all on function {{trust}}.gcos_known_bodies(text[]) from public;

-- Notifies recipients of signals that were just written to the outbox. Only the functions below call it. A
-- signal goes to its subscribers. A routed signal (its payload names an owner) also goes to that body, unless
-- a subscription of the body matches the signal: an open one has delivered it, a muted one declines it. A
-- body that the host's registry does not list as active is replaced by the council.
create function {{trust}}.gcos_deliver_rows(p_id uuid[], p_keyed boolean[], p_type text[], p_stream text[], p_subject_table text[],
  p_address text[], p_severity text[], p_payload jsonb[], p_at timestamptz)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  v_ceiling bigint;
  v_window timestamptz;
  v_council text;
  v_bodies text[];
  v_known text[];
  v_recipient text[];
  v_extra bigint[];
  v_severity text[];
begin
  v_bodies := array(
    select distinct p.payload ->> 'owner' from unnest(p_payload) as p(payload)
    where octet_length(p.payload ->> 'owner') between 1 and 500);
  if v_bodies = '{}'
    and not exists (select from {{schema}}.event_subscription b where not b.mute and coalesce(b.event_domain, 'governance') = 'governance') then
    return;
  end if;
  select l.ceiling, l.window_start, l.council into v_ceiling, v_window, v_council from {{trust}}.gcos_notification_limits(p_at) l;
  v_known := case when v_bodies = '{}' then v_bodies else {{trust}}.gcos_known_bodies(v_bodies) end;
  with signal as (
    select s.pos, s.id, s.keyed, s.event_type, s.stream, s.subject_table, s.address, s.severity, s.payload,
      case when s.payload ->> 'owner' = any (v_bodies)
        then case when s.payload ->> 'owner' = any (v_known) then s.payload ->> 'owner' else v_council end end as body
    from unnest(p_id, p_keyed, p_type, p_stream, p_subject_table, p_address, p_severity, p_payload)
      with ordinality as s(id, keyed, event_type, stream, subject_table, address, severity, payload, pos)
  ), subscribed as (
    select b.recipient_ref::text as recipient_ref, b.mute, s.pos
    from signal s
    -- Ignore subscriptions of other programs whose recipient is empty or too long for an index.
    join {{schema}}.event_subscription b on octet_length(b.recipient_ref) between 1 and 500
      and coalesce(b.event_domain, 'governance') = 'governance'
      and coalesce(b.event_type, s.event_type) = s.event_type
      and coalesce(b.event_stream, s.stream) = s.stream
      and coalesce(b.scope_subject_table, s.subject_table) = s.subject_table
      and s.payload @> coalesce(b.scope_filter::jsonb, '{}')
      -- A finding with a parent is one cause of many: only who asked for its type is notified.
      and (b.event_type is not null or not s.payload ? 'parent_issue_id')
    -- The row of a subscription that ended stays, muted: it declines nothing.
    where not b.mute or not exists (
      select from {{schema}}.governance_subscription g where g.subscription_id = b.id and g.ended_at is not null)
  ), matched as (
    select distinct r.recipient_ref, s.pos, s.id, s.event_type, s.address, s.severity
    from (
      select u.recipient_ref, u.pos from subscribed u where not u.mute
      union all
      select s.body, s.pos from signal s
      where s.body is not null and not exists (select from subscribed u where u.pos = s.pos and u.recipient_ref = s.body)
    ) as r
    join signal s on s.pos = r.pos
    -- Only a signal with a dedupe key can arrive a second time with the same id.
    where not s.keyed or not exists (
      select from {{schema}}.event_read e where e.event_id = s.id and e.actor_ref = r.recipient_ref)
  ), counted as materialized (
    -- Count once per recipient, and only up to the ceiling.
    select r.recipient_ref, (
      select count(*) from (
        select from {{schema}}.governance_delivery d
        where d.recipient_ref = r.recipient_ref and d.window_start = v_window and d.kind = 'signal' limit v_ceiling
      ) as sent) as sent
    from (select distinct m.recipient_ref from matched m) as r
  ), placed as (
    select m.recipient_ref, m.id, m.event_type, m.address, m.severity, m.pos,
      row_number() over (partition by m.recipient_ref order by m.pos) + c.sent as place
    from matched m join counted c on c.recipient_ref = m.recipient_ref
  ), single as (
    insert into {{schema}}.governance_delivery (kind, recipient_ref, event_id, event_type, canonical_address, severity, signals, window_start, delivered_at)
    select 'signal', p.recipient_ref, p.id, p.event_type, p.address, p.severity, 1, v_window, p_at
    from placed p where p.place <= v_ceiling order by p.pos
    on conflict do nothing
  )
  select array_agg(o.recipient_ref), array_agg(o.extra), array_agg(o.severity) into v_recipient, v_extra, v_severity
  from (
    select p.recipient_ref, count(*) as extra,
      (array['critical', 'high', 'medium', 'low'])[min(array_position(array['critical', 'high', 'medium', 'low'], p.severity))] as severity
    from placed p where p.place > v_ceiling
    group by p.recipient_ref
  ) as o;
  if v_recipient is not null then
    perform {{trust}}.gcos_add_to_digests(v_recipient, v_extra, v_severity, v_window, p_at);
  end if;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_deliver_rows(uuid[], boolean[], text[], text[], text[], text[], text[], jsonb[], timestamptz) from public;

-- Calls gcos_deliver_rows without raising its errors to the emitter or promoter: it records a failed
-- delivery, and gcos_redeliver retries it.
create function {{trust}}.gcos_deliver(p_id uuid[], p_keyed boolean[], p_type text[], p_stream text[], p_subject_table text[],
  p_address text[], p_severity text[], p_payload jsonb[], p_at timestamptz)
returns void
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  perform {{trust}}.gcos_deliver_rows(p_id, p_keyed, p_type, p_stream, p_subject_table, p_address, p_severity, p_payload, p_at);
exception when others then
  -- Conflicts, cancellations and server failures go to the caller.
  if left(sqlstate, 2) not in ('21', '22', '23', '38', '39', '42', '44', '54', 'P0') then
    raise;
  end if;
  insert into {{schema}}.governance_delivery_fault (event_ids, severities, failed_at, error)
  values (p_id, p_severity, clock_timestamp(), left(sqlstate || ' ' || sqlerrm, 500));
end
$gcos_function$;
revoke all on function {{trust}}.gcos_deliver(uuid[], boolean[], text[], text[], text[], text[], text[], jsonb[], timestamptz) from public;

-- Retries failed deliveries, longest waiting first. Returns how many signals are still undelivered, and the
-- last error.
create function {{trust}}.gcos_redeliver(p_limit integer)
returns table (delivered bigint, undelivered bigint, error text)
language plpgsql
rows 1
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  v_fault record;
begin
  delivered := 0;
  for v_fault in
    select f.id, f.event_ids, f.severities from {{schema}}.governance_delivery_fault f order by f.failed_at, f.id limit p_limit for update skip locked
  loop
    begin
      -- Treat each signal as one with a dedupe key, so that no recipient is notified twice.
      perform {{trust}}.gcos_deliver_rows(array_agg(o.id order by s.pos), array_agg(true order by s.pos), array_agg(o.event_type::text order by s.pos),
        array_agg(o.event_stream::text order by s.pos), array_agg(o.event_subject_table::text order by s.pos),
        array_agg(o.canonical_address::text order by s.pos), array_agg(s.severity order by s.pos),
        array_agg(o.safe_payload::jsonb order by s.pos), {{trust}}.gcos_now())
      from unnest(v_fault.event_ids, v_fault.severities) with ordinality as s(id, severity, pos)
      join {{schema}}.event_outbox o on o.id = s.id
      having count(*) > 0;
      delete from {{schema}}.governance_delivery_fault f where f.id = v_fault.id;
      delivered := delivered + cardinality(v_fault.event_ids);
    exception when others then
      if left(sqlstate, 2) not in ('21', '22', '23', '38', '39', '42', '44', '54', 'P0') then
        raise;
      end if;
      update {{schema}}.governance_delivery_fault f
      set tries = f.tries + 1, failed_at = clock_timestamp(), error = left(sqlstate || ' ' || sqlerrm, 500)
      where f.id = v_fault.id;
    end;
  end loop;
  select coalesce(sum(cardinality(f.event_ids)), 0), (array_agg(f.error order by f.failed_at desc))[1] into undelivered, error
  from {{schema}}.governance_delivery_fault f;
  return next;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_redeliver(integer) from public;
grant execute on function {{trust}}.gcos_redeliver(integer) to {{worker}};
