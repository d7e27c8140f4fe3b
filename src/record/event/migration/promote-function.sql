-- Moves the given held signals to the outbox, all or none. Only gcos_promote, which holds the locks, calls
-- it. The planner settings force index plans: the queue fills and empties faster than its statistics, and a
-- sequential scan planned for an empty table would run on a full one.
create function {{trust}}.gcos_promote_rows(p_order_no bigint[], p_at timestamptz)
returns bigint
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
as $gcos_function$
declare
  levels constant text[] := array['critical', 'high', 'medium', 'low'];
  words constant text[] := {{trust}}.gcos_host_severities('event_severity');
  v_base timestamptz;
  v_due bigint;
  v_written bigint;
begin
  v_base := clock_timestamp();
  -- The id is derived from the held row, so that there is never more than one outbox row for it.
  insert into {{schema}}.event_outbox (id, event_domain, event_type, event_stream, delivery_lane, event_severity, event_subject_table,
    event_subject_ref, canonical_address, actor_ref, source_system, correlation_id, payload_classification, safe_payload,
    occurred_at, created_at)
  select coalesce((p.capture_payload ->> 'event_id')::uuid, md5('gcos held signal ' || h.pending_id::text)::uuid),
    'governance', h.event_type, r.event_stream, r.delivery_lane,
    coalesce(nullif(words[array_position(levels, p.capture_payload ->> 'severity')], ''), r.default_severity),
    h.subject_table, nullif(h.subject_ref, ''), p.canonical_address, p.actor_ref, 'gcos',
    (p.capture_payload ->> 'correlation_id')::uuid, 'safe_metadata', (p.capture_payload -> 'payload')::jsonb,
    (p.capture_payload ->> 'occurred_at')::timestamptz, v_base + o.pos * interval '1 microsecond'
  from unnest(p_order_no) with ordinality as o(order_no, pos)
  join {{schema}}.governance_hold h on h.order_no = o.order_no
  join {{schema}}.event_pending p on p.id = h.pending_id
  join {{schema}}.event_type_registry r on r.event_domain = 'governance' and r.event_type = h.event_type
  where (select {{trust}}.gcos_enter_host())
  order by o.pos
  on conflict do nothing;
  get diagnostics v_written = row_count;
  perform {{trust}}.gcos_leave_host();
  select count(*) into v_due from unnest(p_order_no) as o where o is not null;
  if v_written <> v_due and exists (
    select from unnest(p_order_no) as o(order_no)
    join {{schema}}.governance_hold h on h.order_no = o.order_no
    join {{schema}}.event_pending p on p.id = h.pending_id
    where not exists (
      select from {{schema}}.event_outbox x
      where x.id = coalesce((p.capture_payload ->> 'event_id')::uuid, md5('gcos held signal ' || h.pending_id::text)::uuid)))
  then
    raise exception 'the host dropped the signal without an error';
  end if;
  perform {{trust}}.gcos_deliver(array_agg(s.id order by s.pos), array_agg(s.keyed order by s.pos), array_agg(s.event_type order by s.pos),
    array_agg(s.stream order by s.pos), array_agg(s.subject_table order by s.pos), array_agg(s.address order by s.pos),
    array_agg(s.level order by s.pos), array_agg(s.payload order by s.pos), p_at)
  from (
    select o.pos, coalesce((p.capture_payload ->> 'event_id')::uuid, md5('gcos held signal ' || h.pending_id::text)::uuid) as id,
      p.capture_payload ->> 'event_id' is not null as keyed, h.event_type, r.event_stream::text as stream, h.subject_table,
      p.canonical_address::text as address, (p.capture_payload -> 'payload')::jsonb as payload,
      coalesce(p.capture_payload ->> 'severity', k.severity, levels[array_position(words, r.default_severity::text)], 'medium') as level
    from unnest(p_order_no) with ordinality as o(order_no, pos)
    join {{schema}}.governance_hold h on h.order_no = o.order_no
    join {{schema}}.event_pending p on p.id = h.pending_id
    join {{schema}}.event_type_registry r on r.event_domain = 'governance' and r.event_type = h.event_type
    left join {{schema}}.governance_signal_type k on k.event_type = h.event_type
    where p.capture_payload::jsonb #> '{payload,owner}' is not null
      or exists (select from {{schema}}.event_subscription b where not b.mute and coalesce(b.event_domain, 'governance') = 'governance')
  ) as s
  having count(*) > 0;
  perform {{trust}}.gcos_feed_write(array_agg(s.id order by s.pos), array_agg(s.event_type order by s.pos), array_agg(s.subject order by s.pos),
    array_agg(s.payload order by s.pos))
  from (
    select o.pos, coalesce((p.capture_payload ->> 'event_id')::uuid, md5('gcos held signal ' || h.pending_id::text)::uuid) as id,
      h.event_type, h.subject_table || coalesce(':' || nullif(h.subject_ref, ''), '') as subject,
      jsonb_build_object('address', p.canonical_address) || (p.capture_payload -> 'payload')::jsonb as payload
    from unnest(p_order_no) with ordinality as o(order_no, pos)
    join {{schema}}.governance_hold h on h.order_no = o.order_no
    join {{schema}}.event_pending p on p.id = h.pending_id
    where not {{trust}}.gcos_feed_knows(h.event_type)
  ) as s
  having count(*) > 0;
  perform {{trust}}.gcos_audit(array['governance_signal'], array[case when count(*) = 1 then min(c.event_type) else 'governance' end],
    array['emit'], array[jsonb_build_object('count', sum(c.n), 'promoted', true, 'types', jsonb_object_agg(c.event_type, c.n))::text],
    null)
  from (
    select h.event_type, count(*) as n
    from unnest(p_order_no) as o(order_no)
    join {{schema}}.governance_hold h on h.order_no = o.order_no
    left join {{schema}}.governance_signal_type k on k.event_type = h.event_type
    where not coalesce(k.heartbeat, false)
    group by h.event_type
  ) as c
  having count(*) > 0;
  with gone as (
    delete from {{schema}}.governance_hold h using unnest(p_order_no) as o(order_no) where h.order_no = o.order_no returning h.pending_id
  )
  update {{schema}}.event_pending p set processed_at = p_at, last_error = null from gone g
  where (select {{trust}}.gcos_enter_host()) and p.id = g.pending_id;
  return v_due;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_promote_rows(bigint[], timestamptz) from public;

-- Promotes held signals of active types, in order per subject. Only one promoter runs at a time: a second one
-- waits and then processes the rest. A signal that the host refuses is parked together with the signals
-- behind it on its subject, so that they do not block other subjects. p_since: signals refused before this
-- time are tried again; a run passes the `since` that its first call returned, and so tries each signal once.
-- `more`: another call would find rows to process.
create function {{trust}}.gcos_promote(p_limit integer, p_since timestamptz)
returns table (promoted bigint, failed bigint, dead_lettered bigint, more boolean, since timestamptz)
language plpgsql
rows 1
security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
as $gcos_function$
declare
  v_at constant timestamptz := {{trust}}.gcos_now();
  -- How often the host may refuse a signal; the default for a value that is no number.
  v_max_errors constant numeric := coalesce((
    select case when jsonb_typeof(s.setting_value -> 'max_errors') = 'number' then (s.setting_value ->> 'max_errors')::numeric end
    from {{trust}}.governance_setting s where s.setting_key = 'event.promotion'), 5);
  v_active text[];
  v_rows bigint[];
  v_behind bigint[];
  v_types text[];
  v_tables text[];
  v_refs text[];
  v_from integer[];
  v_to integer[];
  v_lo integer;
  v_hi integer;
  v_error text;
  v_dead boolean;
begin
  promoted := 0;
  failed := 0;
  dead_lettered := 0;
  more := false;
  perform {{trust}}.gcos_take_lock('promote');
  since := least(p_since, {{trust}}.gcos_now());
  -- A range with one value, ordered by it: with an equality, the planner would walk through the primary key,
  -- past the signals of all other types, of which there may be a year.
  select coalesce(array_agg(t.event_type) filter (where t.active), '{}') into v_active
  from (
    select r.event_type::text, r.active from {{schema}}.event_type_registry r
    where r.event_domain = 'governance' and coalesce((
      select h.order_no from {{schema}}.governance_hold h
      where md5(h.event_type) between md5(r.event_type) and md5(r.event_type) and h.dead_lettered_at is null and not h.parked
      order by md5(h.event_type), h.order_no limit 1), (
      select h.order_no from {{schema}}.governance_hold h
      where md5(h.event_type) = md5(r.event_type) and h.dead_lettered_at is null and h.parked and h.refused_at < gcos_promote.since
      order by h.refused_at limit 1)) is not null
    order by r.event_type
    for share of r
  ) as t;

  -- Retry refused signals, with at most half of the batch; the rest is for signals that were not tried yet.
  update {{schema}}.governance_hold h set parked = false
  from (
    select y.order_no from unnest(v_active) as a(event_type)
    cross join lateral (
      select q.order_no, q.refused_at from {{schema}}.governance_hold q
      where md5(q.event_type) = md5(a.event_type) and q.dead_lettered_at is null and q.parked and q.refused_at < gcos_promote.since
      order by q.refused_at limit greatest(p_limit / 2, 1)
    ) as y
    order by y.refused_at, y.order_no limit greatest(p_limit / 2, 1)
  ) as again
  where h.order_no = again.order_no;

  -- INVARIANT: a signal is emitted only after, or together with, all earlier signals of its subject. The
  -- oldest rows of a type include the head of each subject's queue, unless the head is parked.
  select array_agg(x.order_no order by x.order_no) into v_rows
  from (
    select y.order_no from unnest(v_active) as a(event_type)
    cross join lateral (
      select q.order_no from {{schema}}.governance_hold q
      where md5(q.event_type) between md5(a.event_type) and md5(a.event_type) and q.dead_lettered_at is null and not q.parked
      order by md5(q.event_type), q.order_no limit p_limit
    ) as y
    order by y.order_no limit p_limit
  ) as x;
  more := v_rows is not null;
  -- Signals that arrived after their subject was parked queue behind it.
  with behind as (
    update {{schema}}.governance_hold h set parked = true, refused_at = null
    where h.order_no = any (v_rows) and (
      select e.order_no from {{schema}}.governance_hold e
      where e.event_type = h.event_type and e.subject_hash = h.subject_hash and e.subject_table = h.subject_table
        and e.subject_ref = h.subject_ref and e.dead_lettered_at is null and e.parked and e.order_no < h.order_no
      order by e.order_no limit 1) is not null
    returning h.order_no
  )
  select array(select unnest(v_rows) except select b.order_no from behind b order by 1) into v_rows;
  select array_agg(s.event_type), array_agg(s.subject_table), array_agg(s.subject_ref) into v_types, v_tables, v_refs
  from (
    select distinct h.event_type, h.subject_table, h.subject_ref
    from unnest(v_rows) as o(order_no) join {{schema}}.governance_hold h on h.order_no = o.order_no
  ) as s;
  -- Another program deleted the row from event_pending or marked it as processed: it cannot be promoted, so
  -- dead-letter it to keep it visible.
  with lost as (
    update {{schema}}.governance_hold h set dead_lettered_at = v_at, parked = false, refused_at = null
    where h.order_no = any (v_rows) and not exists (
      select from {{schema}}.event_pending p where p.id = h.pending_id and p.processed_at is null)
    returning h.order_no
  )
  select count(*), array(select unnest(v_rows) except select l.order_no from lost l order by 1) into dead_lettered, v_rows from lost;

  v_from := case when cardinality(v_rows) > 0 then array[1] else '{}' end;
  v_to := case when cardinality(v_rows) > 0 then array[cardinality(v_rows)] else '{}' end;
  while cardinality(v_from) > 0 loop
    v_lo := v_from[cardinality(v_from)];
    v_hi := v_to[cardinality(v_to)];
    v_from := trim_array(v_from, 1);
    v_to := trim_array(v_to, 1);
    begin
      promoted := promoted + {{trust}}.gcos_promote_rows(v_rows[v_lo:v_hi], v_at);
    exception when others then
      if left(sqlstate, 2) not in ('22', '23', '38', '39', '42', '44', 'P0') then
        raise;
      end if;
      v_error := left(sqlerrm, 500);
      if v_lo < v_hi then
        -- Process the first half next: a failure there decides which later signals of its subject may follow.
        v_from := v_from || array[(v_lo + v_hi) / 2 + 1, v_lo];
        v_to := v_to || array[v_hi, (v_lo + v_hi) / 2];
      else
        update {{schema}}.event_pending p set error_count = p.error_count + 1, last_error = v_error
        from {{schema}}.governance_hold h where (select {{trust}}.gcos_enter_host()) and h.order_no = v_rows[v_lo] and p.id = h.pending_id
        returning p.error_count >= v_max_errors into v_dead;
        perform {{trust}}.gcos_leave_host();
        failed := failed + 1;
        if v_dead then
          dead_lettered := dead_lettered + 1;
        end if;
        update {{schema}}.governance_hold h
        set dead_lettered_at = case when v_dead then v_at end, parked = not v_dead,
          refused_at = case when not v_dead then {{trust}}.gcos_now() end
        where h.order_no = v_rows[v_lo];
        -- Park the later signals of its subject behind it.
        with behind as (
          update {{schema}}.governance_hold o set parked = true, refused_at = null
          from {{schema}}.governance_hold f
          where f.order_no = v_rows[v_lo] and o.order_no = any (v_rows) and o.order_no > f.order_no and o.event_type = f.event_type
            and o.subject_hash = f.subject_hash and o.subject_table = f.subject_table and o.subject_ref = f.subject_ref
          returning o.order_no
        )
        select array_agg(b.order_no) into v_behind from behind b;
        select array_agg(case when l.order_no = any (v_behind) then null else l.order_no end order by l.pos) into v_rows
        from unnest(v_rows) with ordinality as l(order_no, pos);
      end if;
    end;
  end loop;

  -- Unpark the processed subjects whose queue no longer starts with a refused signal: up to 100 signals each,
  -- but only one if a signal was just dead-lettered, because the host is likely to refuse the next one as
  -- well.
  update {{schema}}.governance_hold h set parked = false
  from unnest(v_types, v_tables, v_refs) as s(event_type, subject_table, subject_ref)
  cross join lateral (
    select q.parked and q.refused_at is null as free from {{schema}}.governance_hold q
    where q.event_type = s.event_type and q.subject_hash = hashtextextended(s.subject_table || chr(10) || s.subject_ref, 0)
      and q.subject_table = s.subject_table and q.subject_ref = s.subject_ref and q.dead_lettered_at is null
    order by q.order_no limit 1
  ) as head
  cross join lateral (
    select q.order_no from {{schema}}.governance_hold q
    where q.event_type = s.event_type and q.subject_hash = hashtextextended(s.subject_table || chr(10) || s.subject_ref, 0)
      and q.subject_table = s.subject_table and q.subject_ref = s.subject_ref and q.dead_lettered_at is null
    order by q.order_no limit case when dead_lettered > 0 then 1 else 100 end
  ) as next
  where head.free and h.order_no = next.order_no and h.refused_at is null;
  return next;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_promote(integer, timestamptz) from public;
grant execute on function {{trust}}.gcos_promote(integer, timestamptz) to {{worker}};

-- Puts dead-lettered signals back in the queue, at their old position and with an error count of zero, on
-- behalf of the acting person, and audits it.
create function {{trust}}.gcos_retry_signals(p_order_no bigint[])
returns bigint
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  v_person constant text := {{trust}}.gcos_require_actor('operate');
  v_revived bigint;
begin
  perform {{trust}}.gcos_take_lock('promote');
  with revived as (
    update {{schema}}.governance_hold h set dead_lettered_at = null, parked = false, refused_at = null
    where h.dead_lettered_at is not null and (p_order_no is null or h.order_no = any (p_order_no))
      and exists (select from {{schema}}.event_pending p where p.id = h.pending_id and p.processed_at is null)
    returning h.pending_id
  ), cleaned as (
    update {{schema}}.event_pending p set error_count = 0 from revived r where (select {{trust}}.gcos_enter_host()) and p.id = r.pending_id
  )
  select count(*) into v_revived from revived;
  perform {{trust}}.gcos_leave_host();
  if v_revived > 0 then
    perform {{trust}}.gcos_audit(array['governance_dead_letter'], array['event'], array['retry'],
      array[jsonb_build_object('count', v_revived)::text], v_person);
  end if;
  return v_revived;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_retry_signals(bigint[]) from public;
grant execute on function {{trust}}.gcos_retry_signals(bigint[]) to {{api}}, {{server}};
