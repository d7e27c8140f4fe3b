-- Emits signals whose type is registered and active, and holds the others, in the transaction that causes
-- them. Only workers and functions that cause signals call it. An empty text means "not given"; occurred_at
-- is a fact of the signal and decides nothing. Under repeatable read the function fails with 40001 if a type
-- changed since the snapshot; the caller retries. The planner settings force index plans: the queue of held
-- signals fills and empties faster than its statistics, and an index plan is good for both a full and an
-- empty queue.
create function {{trust}}.gcos_emit(p_type text[], p_subject_table text[], p_subject_ref text[], p_address text[], p_severity text[],
  p_payload text[], p_occurred_at text[], p_correlation text[], p_dedupe text[])
returns table (emitted bigint, held bigint, repeated bigint)
language plpgsql
rows 1
security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
set enable_bitmapscan = off
set jit = off
as $gcos_function$
declare
  as_owner constant boolean := {{trust}}.gcos_require_owner();
  levels constant text[] := array['critical', 'high', 'medium', 'low'];
  words constant text[] := {{trust}}.gcos_host_severities('event_severity');
  v_at constant timestamptz := {{trust}}.gcos_now();
  v_base timestamptz;
  v_stranger text;
  v_type text[];
  v_stream text[];
  v_lane text[];
  v_default text[];
  v_level text[];
  v_loud boolean[];
  v_fresh boolean[];
  v_go boolean[];
  v_id uuid[];
  v_written bigint;
  v_error text;
begin
  select s.event_type into v_stranger from (select distinct t as event_type from unnest(p_type) as t) as s
  where (s.event_type ~ E'^[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*)+$' and s.event_type not like 'gcos.%' and length(s.event_type) <= 200) is not true limit 1;
  if found then
    raise exception 'not a signal type: %', coalesce(v_stranger, 'null') using errcode = 'invalid_parameter_value';
  end if;
  if exists (select from unnest(p_payload) as p where (octet_length(p) <= 8192 and left(p, 1) = '{') is not true) then
    raise exception 'the payload of a signal must be an object of at most 8192 bytes' using errcode = 'invalid_parameter_value';
  end if;
  if exists (select from unnest(p_severity) as s where (s = '' or s = any (levels)) is not true) then
    raise exception 'the severity of a signal is critical, high, medium or low' using errcode = 'invalid_parameter_value';
  end if;
  -- Search the text first: few payloads contain these words, and only those are parsed.
  select k.key #>> '{}' into v_stranger
  from unnest(p_payload) as p(payload)
  cross join lateral jsonb_path_query(p.payload::jsonb, '$.** ? (@.type() == "object").keyvalue().key') as k(key)
  cross join lateral (select lower(regexp_replace(k.key #>> '{}', '([a-z0-9])([A-Z])', E'\\1_\\2', 'g')) as name) as n
  where p.payload ~* E'(password|secret|token|body|content|raw|vector|embedding|ssn|personal|\\\\u)'
    and (n.name ~ '(^|[^a-z])(token|body|content|raw|vector|ssn)s?([^a-z]|$)' or n.name ~ '(password|secret|embedding|personal[^a-z]*data)')
  limit 1;
  if found then
    raise exception 'the payload of a signal has a key that is not allowed: %', left(v_stranger, 100) using errcode = 'invalid_parameter_value';
  end if;

  -- Lock all types first, in the same order in every session. INVARIANT: FOR SHARE, never FOR KEY SHARE,
  -- which would allow signals to be emitted after a deactivation.
  select array_agg(t.event_type) filter (where t.active), array_agg(t.event_stream) filter (where t.active),
    array_agg(t.delivery_lane) filter (where t.active), array_agg(t.default_severity) filter (where t.active),
    array_agg(coalesce(k.severity, levels[array_position(words, t.default_severity)], 'medium')) filter (where t.active),
    array_agg(not coalesce(k.heartbeat, false)) filter (where t.active)
  into v_type, v_stream, v_lane, v_default, v_level, v_loud
  from (
    select r.event_type::text, r.event_stream::text, r.delivery_lane::text, r.default_severity::text, r.active
    from {{schema}}.event_type_registry r
    where r.event_domain = 'governance' and r.event_type = any (array(select distinct unnest(p_type)))
    order by r.event_type
    for share
  ) as t
  left join {{schema}}.governance_signal_type k on k.event_type = t.event_type;
  v_type := coalesce(v_type, '{}');

  -- A dedupe key is unique within its type.
  select array_agg(case when d.dedupe = '' then gen_random_uuid() else md5('gcos signal ' || d.event_type || ' ' || d.dedupe)::uuid end
    order by d.pos)
  into v_id
  from unnest(p_type, p_dedupe) with ordinality as d(event_type, dedupe, pos);
  if exists (select from unnest(p_dedupe) as d where d <> '') then
    with wanted as (
      select distinct on (d.id) d.id, d.pos
      from unnest(v_id, p_dedupe) with ordinality as d(id, dedupe, pos) where d.dedupe <> '' order by d.id, d.pos
    ), noted as (
      insert into {{schema}}.governance_signal_key (signal_id, seen_at)
      select w.id, v_at from wanted w order by w.id
      on conflict (signal_id) do nothing
      returning signal_id
    )
    select array_agg(d.dedupe = '' or n.signal_id is not null order by d.pos) into v_fresh
    from unnest(p_dedupe) with ordinality as d(dedupe, pos)
    left join wanted w on w.pos = d.pos
    left join noted n on n.signal_id = w.id;
  else
    v_fresh := array_fill(true, array[cardinality(p_type)]);
  end if;

  -- While signals of a type wait for a subject, later ones wait behind them. Earlier transactions have
  -- committed, so their held signals are visible here; overlapping transactions have no order to keep.
  select array_agg(t.event_type = any (v_type) and t.fresh order by t.pos) into v_go
  from unnest(p_type, v_fresh) with ordinality as t(event_type, fresh, pos);
  if exists (select from {{schema}}.governance_hold h where h.event_type = any (v_type) and h.dead_lettered_at is null) then
    select array_agg(s.go and (
      select h.order_no from {{schema}}.governance_hold h where h.event_type = s.event_type
        and h.subject_hash = hashtextextended(s.subject_table || chr(10) || s.subject_ref, 0)
        and h.subject_table = s.subject_table and h.subject_ref = s.subject_ref and h.dead_lettered_at is null
      order by h.order_no limit 1) is null order by s.pos)
    into v_go
    from unnest(p_type, p_subject_table, p_subject_ref, v_go) with ordinality as s(event_type, subject_table, subject_ref, go, pos);
  end if;

  select count(*) filter (where f.go), count(*) filter (where f.fresh and not f.go), count(*) filter (where not f.fresh)
  into emitted, held, repeated
  from unnest(v_fresh, v_go) as f(fresh, go);

  if emitted > 0 then
    -- created_at gives the order of emission: signals of one batch are one microsecond apart.
    v_base := clock_timestamp();
    begin
      insert into {{schema}}.event_outbox (id, event_domain, event_type, event_stream, delivery_lane, event_severity, event_subject_table,
        event_subject_ref, canonical_address, actor_ref, source_system, correlation_id, payload_classification, safe_payload,
        occurred_at, created_at)
      select s.id, 'governance', s.event_type, t.stream, t.lane,
        case when s.severity = '' then t.severity else nullif(words[array_position(levels, s.severity)], '') end,
        s.subject_table, nullif(s.subject_ref, ''), s.address, session_user, 'gcos', nullif(s.correlation, '')::uuid,
        'safe_metadata', s.payload::jsonb, coalesce(nullif(s.occurred_at, '')::timestamptz, v_at),
        v_base + s.pos * interval '1 microsecond'
      from unnest(v_id, v_go, p_type, p_subject_table, p_subject_ref, p_address, p_severity, p_payload, p_occurred_at, p_correlation)
        with ordinality as s(id, go, event_type, subject_table, subject_ref, address, severity, payload, occurred_at, correlation, pos)
      join unnest(v_type, v_stream, v_lane, v_default) as t(event_type, stream, lane, severity) on t.event_type = s.event_type
      where (select {{trust}}.gcos_enter_host()) and s.go
      order by s.pos
      on conflict do nothing;
      get diagnostics v_written = row_count;
      perform {{trust}}.gcos_leave_host();
      if v_written <> emitted and exists (
        select from unnest(v_id, v_go) as s(id, go) where s.go and not exists (select from {{schema}}.event_outbox o where o.id = s.id))
      then
        raise exception 'the host dropped % of % signals without an error', emitted - v_written, emitted;
      end if;
    exception when others then
      -- A refusal by the host must not fail the work that caused the signals: hold the whole batch, and let
      -- the promoter find the refused signal.
      if left(sqlstate, 2) not in ('22', '23', '38', '39', '42', '44', 'P0') then
        raise;
      end if;
      v_error := left(sqlerrm, 500);
      held := held + emitted;
      emitted := 0;
      v_go := array_fill(false, array[cardinality(p_type)]);
    end;
  end if;

  if held > 0 then
    with given as (
      select nextval('{{schema}}.governance_signal_seq') as order_no, w.event_type, w.subject_table, w.subject_ref, w.address, w.capture
      from (
        select s.event_type, s.subject_table, s.subject_ref, s.address, jsonb_strip_nulls(jsonb_build_object('source', 'gcos',
            'occurred_at', coalesce(nullif(s.occurred_at, '')::timestamptz, v_at), 'severity', nullif(s.severity, ''),
            'correlation_id', nullif(s.correlation, ''), 'event_id', case when s.dedupe <> '' then s.id end))
          || jsonb_build_object('payload', s.payload::jsonb) as capture
        from unnest(v_id, v_fresh, v_go, p_type, p_subject_table, p_subject_ref, p_address, p_severity, p_payload, p_occurred_at,
          p_correlation, p_dedupe) with ordinality
          as s(id, fresh, go, event_type, subject_table, subject_ref, address, severity, payload, occurred_at, correlation, dedupe, pos)
        where s.fresh and not s.go
        order by s.pos
      ) as w
    ), written as (
      insert into {{schema}}.event_pending (event_domain, event_type_hint, entity_table, entity_ref, canonical_address, actor_ref,
        capture_payload, error_count, last_error)
      select 'governance', g.event_type, g.subject_table, nullif(g.subject_ref, ''), g.address, session_user,
        g.capture || jsonb_build_object('order', g.order_no), 0, v_error
      from given g
      where (select {{trust}}.gcos_enter_host())
      order by g.order_no
      returning id, event_type_hint, entity_table, entity_ref, capture_payload
    )
    insert into {{schema}}.governance_hold (order_no, event_type, subject_table, subject_ref, pending_id, held_at)
    select (w.capture_payload ->> 'order')::bigint, w.event_type_hint, w.entity_table, coalesce(w.entity_ref, ''), w.id, v_at
    from written w;
    get diagnostics v_written = row_count;
    perform {{trust}}.gcos_leave_host();
    if v_written <> held then
      raise exception 'the host kept % of % held signals', v_written, held using errcode = 'data_exception';
    end if;
  end if;

  -- The feed has a signal when it is emitted; facts with a name of their own in the feed are there already.
  -- That the inventory changed is in the feed also while these signals are held.
  perform {{trust}}.gcos_feed_write(array_agg(f.id order by f.pos), array_agg(f.event_type order by f.pos),
    array_agg(f.subject order by f.pos), array_agg(f.payload order by f.pos))
  from (
    select s.id, s.pos, s.event_type, s.subject_table || coalesce(':' || nullif(s.subject_ref, ''), '') as subject,
      jsonb_build_object('address', s.address) || s.payload::jsonb as payload
    from unnest(v_id, v_go, p_type, p_subject_table, p_subject_ref, p_address, p_payload) with ordinality
      as s(id, go, event_type, subject_table, subject_ref, address, payload, pos)
    where s.go and not {{trust}}.gcos_feed_knows(s.event_type)
    union all
    select null, 0, 'inventory.changed', 'birth_registry', jsonb_build_object('count', sum(k.changes), 'changes', jsonb_object_agg(k.kind, k.changes))
    from (
      select substr(s.event_type, 9) as kind, sum(case when s.payload::jsonb ->> 'count' ~ '^[0-9]{1,18}$'
        then (s.payload::jsonb ->> 'count')::bigint else 1 end) as changes
      from unnest(p_type, p_payload, v_fresh) as s(event_type, payload, fresh)
      where s.fresh and s.event_type in ('handoff.object_born', 'handoff.object_registered', 'handoff.collection_changed',
        'handoff.count_changed', 'handoff.object_retired', 'handoff.source_changed', 'handoff.axis_introduced',
        'handoff.policy_changed', 'handoff.authority_changed', 'handoff.ruleset_changed')
      group by s.event_type
    ) as k
    having count(*) > 0
  ) as f
  having count(*) > 0;

  if emitted > 0 then
    perform {{trust}}.gcos_deliver(array_agg(s.id order by s.pos), array_agg(s.dedupe <> '' order by s.pos), array_agg(s.event_type order by s.pos),
      array_agg(t.stream order by s.pos), array_agg(s.subject_table order by s.pos), array_agg(s.address order by s.pos),
      array_agg(coalesce(nullif(s.severity, ''), t.level) order by s.pos), array_agg(s.payload::jsonb order by s.pos), v_at)
    from unnest(v_id, v_go, p_type, p_subject_table, p_address, p_severity, p_payload, p_dedupe)
      with ordinality as s(id, go, event_type, subject_table, address, severity, payload, dedupe, pos)
    join unnest(v_type, v_stream, v_level) as t(event_type, stream, level) on t.event_type = s.event_type
    -- A signal with an owner is routed, with or without subscriptions.
    where s.go and (strpos(s.payload, '"owner"') > 0 or exists (
      select from {{schema}}.event_subscription b where not b.mute and coalesce(b.event_domain, 'governance') = 'governance'))
    having count(*) > 0;
    perform {{trust}}.gcos_audit(array['governance_signal'], array[case when count(*) = 1 then min(c.event_type) else 'governance' end],
      array['emit'], array[jsonb_build_object('count', sum(c.n), 'types', jsonb_object_agg(c.event_type, c.n))::text], null)
    from (
      select s.event_type, count(*) as n
      from unnest(p_type, v_go) as s(event_type, go)
      join unnest(v_type, v_loud) as t(event_type, loud) on t.event_type = s.event_type and t.loud
      where s.go group by s.event_type
    ) as c
    having count(*) > 0;
  end if;
  return next;
end
$gcos_function$;
revoke all on function {{trust}}.gcos_emit(text[], text[], text[], text[], text[], text[], text[], text[], text[]) from public;
grant execute on function {{trust}}.gcos_emit(text[], text[], text[], text[], text[], text[], text[], text[], text[]) to {{trust_owner}}, {{worker}};
