-- Notifies subscribers of signals that were just written to the outbox. Only the functions below call it.
-- INVARIANT: it never waits for a row that another emitter has locked. If a digest row is locked, it adds a
-- second digest row; readers add the rows up.
create function gcos_deliver_rows(p_id uuid[], p_keyed boolean[], p_type text[], p_stream text[], p_subject_table text[],
  p_address text[], p_severity text[], p_payload jsonb[], p_at timestamptz)
returns void
language plpgsql
security definer
set search_path = {{schema}}, pg_temp
as $gcos_function$
declare
  v_ceiling bigint;
  v_window timestamptz;
  v_recipient text[];
  v_extra bigint[];
  v_severity text[];
  v_done text[];
begin
  if not exists (select from event_subscription b where not b.mute and coalesce(b.event_domain, 'governance') = 'governance') then
    return;
  end if;
  -- An invalid setting falls back to the default here; the TypeScript code that reads the setting reports the
  -- error.
  select case when s.setting_value ->> 'ceiling' ~ '^[0-9]{1,15}$' then (s.setting_value ->> 'ceiling')::bigint else 50 end,
    date_bin(case
      when s.setting_value ->> 'window' ~ '^P(?=[0-9]|T[0-9])([0-9]{1,6}W)?([0-9]{1,6}D)?(T(?=[0-9])([0-9]{1,6}H)?([0-9]{1,6}M)?([0-9]{1,6}S)?)?$'
        and s.setting_value ->> 'window' ~ '[1-9]' then (s.setting_value ->> 'window')::interval
      else interval '1 hour' end, p_at, timestamptz '2000-01-01 00:00:00+00')
  into v_ceiling, v_window
  from (select 1) as one left join governance_setting s on s.setting_key = 'event.notification';
  with matched as (
    select distinct on (b.recipient_ref, s.pos) b.recipient_ref::text as recipient_ref, s.pos, s.id, s.event_type, s.address, s.severity
    from unnest(p_id, p_keyed, p_type, p_stream, p_subject_table, p_address, p_severity, p_payload)
      with ordinality as s(id, keyed, event_type, stream, subject_table, address, severity, payload, pos)
    -- Ignore subscriptions of other programs whose recipient is empty or too long for an index.
    join event_subscription b on not b.mute and octet_length(b.recipient_ref) between 1 and 500
      and coalesce(b.event_domain, 'governance') = 'governance'
      and coalesce(b.event_type, s.event_type) = s.event_type
      and coalesce(b.event_stream, s.stream) = s.stream
      and coalesce(b.scope_subject_table, s.subject_table) = s.subject_table
      and s.payload @> coalesce(b.scope_filter::jsonb, '{}')
    -- Only a signal with a dedupe key can arrive a second time with the same id.
    where not s.keyed or not exists (
      select from event_read r where r.event_id = s.id and r.actor_ref = b.recipient_ref)
    order by b.recipient_ref, s.pos
  ), counted as materialized (
    -- Count once per recipient, and only up to the ceiling.
    select r.recipient_ref, (
      select count(*) from (
        select from governance_delivery d
        where d.recipient_ref = r.recipient_ref and d.window_start = v_window and d.kind = 'signal' limit v_ceiling
      ) as sent) as sent
    from (select distinct m.recipient_ref from matched m) as r
  ), placed as (
    select m.recipient_ref, m.id, m.event_type, m.address, m.severity, m.pos,
      row_number() over (partition by m.recipient_ref order by m.pos) + c.sent as place
    from matched m join counted c on c.recipient_ref = m.recipient_ref
  ), single as (
    insert into governance_delivery (kind, recipient_ref, event_id, event_type, canonical_address, severity, signals, window_start, delivered_at)
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
  if v_recipient is null then
    return;
  end if;
  -- Under repeatable read, updating a digest that changed since the snapshot would fail the caller's
  -- transaction, so add a second digest row instead.
  if current_setting('transaction_isolation') = 'read committed' then
    with free as (
      select d.id from governance_delivery d
      where d.kind = 'digest' and d.window_start = v_window and d.recipient_ref = any (v_recipient)
        and d.read_at is null and d.escalated_at is null
      order by d.id
      for update skip locked
    ), first as (
      select min(d.id) as id, d.recipient_ref from governance_delivery d join free f on f.id = d.id group by d.recipient_ref
    ), grown as (
      update governance_delivery d
      set signals = d.signals + o.extra, severity = (array['critical', 'high', 'medium', 'low'])[least(
        array_position(array['critical', 'high', 'medium', 'low'], d.severity),
        array_position(array['critical', 'high', 'medium', 'low'], o.severity))]
      from first f join unnest(v_recipient, v_extra, v_severity) as o(recipient_ref, extra, severity) on o.recipient_ref = f.recipient_ref
      where d.id = f.id
      returning d.recipient_ref
    )
    select array_agg(g.recipient_ref) into v_done from grown g;
  end if;
  insert into governance_delivery (kind, recipient_ref, severity, signals, window_start, delivered_at)
  select 'digest', o.recipient_ref, o.severity, o.extra, v_window, p_at
  from unnest(v_recipient, v_extra, v_severity) as o(recipient_ref, extra, severity)
  where o.recipient_ref <> all (coalesce(v_done, '{}'))
  order by o.recipient_ref;
end
$gcos_function$;
revoke all on function gcos_deliver_rows(uuid[], boolean[], text[], text[], text[], text[], text[], jsonb[], timestamptz) from public;

-- Calls gcos_deliver_rows without raising its errors to the emitter or promoter: it records a failed
-- delivery, and gcos_redeliver retries it.
create function gcos_deliver(p_id uuid[], p_keyed boolean[], p_type text[], p_stream text[], p_subject_table text[],
  p_address text[], p_severity text[], p_payload jsonb[], p_at timestamptz)
returns void
language plpgsql
security definer
set search_path = {{schema}}, pg_temp
as $gcos_function$
begin
  perform gcos_deliver_rows(p_id, p_keyed, p_type, p_stream, p_subject_table, p_address, p_severity, p_payload, p_at);
exception when others then
  -- Conflicts, cancellations and server failures go to the caller.
  if left(sqlstate, 2) not in ('21', '22', '23', '38', '39', '42', '44', '54', 'P0') then
    raise;
  end if;
  insert into governance_delivery_fault (event_ids, severities, failed_at, error)
  values (p_id, p_severity, clock_timestamp(), left(sqlstate || ' ' || sqlerrm, 500));
end
$gcos_function$;
revoke all on function gcos_deliver(uuid[], boolean[], text[], text[], text[], text[], text[], jsonb[], timestamptz) from public;

-- Retries failed deliveries, longest waiting first. Returns how many signals are still undelivered, and the
-- last error.
create function gcos_redeliver(p_limit integer, p_at timestamptz)
returns table (delivered bigint, undelivered bigint, error text)
language plpgsql
rows 1
security definer
set search_path = {{schema}}, pg_temp
as $gcos_function$
declare
  v_fault record;
begin
  delivered := 0;
  for v_fault in
    select f.id, f.event_ids, f.severities from governance_delivery_fault f order by f.failed_at, f.id limit p_limit for update skip locked
  loop
    begin
      -- Treat each signal as one with a dedupe key, so that no recipient is notified twice.
      perform gcos_deliver_rows(array_agg(o.id order by s.pos), array_agg(true order by s.pos), array_agg(o.event_type::text order by s.pos),
        array_agg(o.event_stream::text order by s.pos), array_agg(o.event_subject_table::text order by s.pos),
        array_agg(o.canonical_address::text order by s.pos), array_agg(s.severity order by s.pos),
        array_agg(o.safe_payload::jsonb order by s.pos), coalesce(p_at, clock_timestamp()))
      from unnest(v_fault.event_ids, v_fault.severities) with ordinality as s(id, severity, pos)
      join event_outbox o on o.id = s.id
      having count(*) > 0;
      delete from governance_delivery_fault f where f.id = v_fault.id;
      delivered := delivered + cardinality(v_fault.event_ids);
    exception when others then
      if left(sqlstate, 2) not in ('21', '22', '23', '38', '39', '42', '44', '54', 'P0') then
        raise;
      end if;
      update governance_delivery_fault f
      set tries = f.tries + 1, failed_at = clock_timestamp(), error = left(sqlstate || ' ' || sqlerrm, 500)
      where f.id = v_fault.id;
    end;
  end loop;
  select coalesce(sum(cardinality(f.event_ids)), 0), (array_agg(f.error order by f.failed_at desc))[1] into undelivered, error
  from governance_delivery_fault f;
  return next;
end
$gcos_function$;
revoke all on function gcos_redeliver(integer, timestamptz) from public;
grant execute on function gcos_redeliver(integer, timestamptz) to {{worker}}, {{api}};
