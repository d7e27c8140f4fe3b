-- Gives numbers to the entries that no earlier round could see, and to the new links of the log.
-- INVARIANT: an entry is invisible in the snapshot of a round only if its transaction was running or not yet
-- begun then: it is among the running ones of that snapshot, or at or above its end. So a round reads these,
-- whatever their ids, and no entry is lost, however late it commits. Links are in the order of the commits
-- already, and have no gaps. The lock on the state lets one round run after another; the statement that reads
-- has one snapshot, newer than the lock, for both.
-- What had committed before another transaction began has an earlier time, so links and entries are merged
-- by the latest time so far of their kind: each kind keeps its own order, also if the clock steps back.
-- `more`: there are more than `p_limit` of a kind. Then what is later than its last one waits, the snapshot
-- stays, and the next round continues.
create function {{trust}}.gcos_number_feed(p_limit integer)
returns table (numbered bigint, last_number bigint, more boolean)
language plpgsql
rows 1
security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off
as $gcos_function$
declare
  most constant integer := greatest(least(p_limit, 10000), 1);
  server constant text := (select c.system_identifier::text from pg_control_system() as c);
  state record;
  known pg_snapshot;
  looked pg_snapshot;
  read_to bigint;
begin
  select s.last_number, s.log_position, s.seen, s.system_identifier into strict state from {{schema}}.gov_feed_state s for update;
  -- A snapshot of another server, or from the future (a dump was restored), says nothing: read everything.
  known := case when state.system_identifier = server and pg_snapshot_xmax(state.seen) <= pg_snapshot_xmax(pg_current_snapshot())
    then state.seen end;
  with now as materialized (
    select pg_current_snapshot() as snapshot
  ),
  link as materialized (
    select l.position, l.kind, l.subject, l.payload, l.recorded_at, max(l.recorded_at) over (order by l.position) as at
    from (
      select n.position, n.kind, n.subject, n.payload, n.recorded_at from {{trust}}.gcos_log n
      where n.position > state.log_position
      order by n.position
      limit most
    ) as l
  ),
  late as materialized (
    select e.entry_id, e.occurred_at from {{schema}}.gov_feed_entry e
    where e.xact >= coalesce(pg_snapshot_xmax(known), '0')
    union all
    select e.entry_id, e.occurred_at
    from pg_snapshot_xip(known) as running(xact)
    cross join lateral (
      select n.entry_id, n.occurred_at from {{schema}}.gov_feed_entry n where n.xact = running.xact offset 0
    ) as e
  ),
  fresh as materialized (
    select e.entry_id, max(e.occurred_at) over (order by e.entry_id) as at
    from (
      select l.entry_id, l.occurred_at from late l
      where not exists (select from {{schema}}.gov_feed f where f.entry_id = l.entry_id)
      order by l.entry_id
      limit most
    ) as e
  ),
  filled as materialized (
    select max(l.at) as at from link l having count(*) = most
    union all
    select max(f.at) from fresh f having count(*) = most
  ),
  taken as materialized (
    select l.position, l.kind, l.subject, l.payload, l.recorded_at from link l
    where (l.at > (select min(f.at) from filled f)) is not true
  ),
  written as (
    insert into {{schema}}.gov_feed_entry (event_id, xact, entry_type, subject, payload, occurred_at)
    select gen_random_uuid(), '0', t.kind, 'gcos_log:' || t.position, {{trust}}.gcos_feed_of_link(t.kind, t.subject, t.payload), t.recorded_at
    from taken t
    where {{trust}}.gcos_feed_has(t.kind)
    order by t.position
    returning entry_id, occurred_at
  ),
  due as (
    select w.entry_id, 0 as kind, max(w.occurred_at) over (order by w.entry_id) as at from written w
    union all
    select f.entry_id, 1, f.at from fresh f
    where (f.at > (select min(l.at) from filled l)) is not true
  ),
  given as (
    insert into {{schema}}.gov_feed (number, entry_id, numbered_at)
    select state.last_number + row_number() over (order by d.at, d.kind, d.entry_id), d.entry_id, {{trust}}.gcos_now()
    from due d
    returning number
  )
  select (select count(*) from given), exists (select from filled), (select max(t.position) from taken t), n.snapshot
  into numbered, more, read_to, looked
  from now n;
  last_number := state.last_number + numbered;
  update {{schema}}.gov_feed_state s
  set last_number = gcos_number_feed.last_number, log_position = coalesce(read_to, s.log_position),
    seen = case when more then known else looked end, system_identifier = server
  where numbered > 0 or read_to is not null or s.seen::text is distinct from looked::text;
  return next;
end
$gcos_function$;

-- Which links of the log are in the feed.
create function {{trust}}.gcos_feed_has(p_kind text)
returns boolean
language sql immutable
set search_path = pg_catalog, pg_temp
return p_kind ~ '^(request|ledger|exception|break_glass)\.' and p_kind !~ '\.(altered|deleted)$' or p_kind = 'ruleset.activated';

-- The addresses and counts of a link.
create function {{trust}}.gcos_feed_of_link(p_kind text, p_subject text, p_payload jsonb)
returns jsonb
language sql immutable
set search_path = pg_catalog, pg_temp
return jsonb_strip_nulls(jsonb_build_object(split_part(p_kind, '.', 1), left(p_subject, 200),
  'action_code', left(p_payload ->> 'action_code', 100), 'risk', p_payload ->> 'risk', 'mode', p_payload ->> 'mode',
  'kind', p_payload ->> 'kind', 'closes', p_payload -> 'closes', 'ruleset_version', p_payload ->> 'ruleset_version',
  'scope', p_payload ->> 'scope', 'expires_at', p_payload ->> 'expires_at'));

-- The numbers to give, for the pulse of a worker: the last number; and whether something waits. A restored
-- dump, whose snapshot is from the future, is found by the round that the duty makes in any case.
create function {{trust}}.gcos_feed_pulse()
returns text
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $gcos_function$
begin
  return (
    select s.last_number::text || case
      when (select e.xact from {{schema}}.gov_feed_entry e order by e.xact desc limit 1) >= coalesce(pg_snapshot_xmax(s.seen), '0')
        or (select h.position from {{trust}}.gcos_log_head h) > s.log_position
        or exists (
          select from pg_snapshot_xip(s.seen) as running(xact)
          cross join lateral (
            select from {{schema}}.gov_feed_entry n where n.xact = running.xact order by n.xact, n.entry_id limit 1
          ) as late)
      then ' waits' else '' end
    from {{schema}}.gov_feed_state s);
end
$gcos_function$;

-- Deletes what is older than history.keep says and no webhook waits for, and in any case what exceeds a
-- million numbers; the lowest first. Not audited: every entry is a copy of what other tables keep.
create function {{trust}}.gcos_prune_feed(p_limit integer)
returns bigint
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
set enable_seqscan = off
as $gcos_function$
declare
  bound constant timestamptz := {{trust}}.gcos_history_bound('feed');
  newest bigint;
  received bigint;
  gone bigint;
begin
  select s.last_number into newest from {{schema}}.gov_feed_state s;
  -- The relay gives up after three days, so this ends.
  received := coalesce((select min(w.sent_number) from {{schema}}.gov_webhook w where w.disabled_at is null), newest);
  with old as materialized (
    select f.number, f.entry_id
    from (
      select o.number, o.entry_id, o.numbered_at from {{schema}}.gov_feed o order by o.number limit p_limit
    ) as f
    where f.number <= newest - 1000000 or f.numbered_at < bound and f.number <= received
  ),
  unnumbered as (
    delete from {{schema}}.gov_feed f using old where f.number = old.number
  ),
  deleted as (
    delete from {{schema}}.gov_feed_entry e using old where e.entry_id = old.entry_id returning e.entry_id
  )
  select count(*) into gone from deleted;
  if gone > 0 then
    insert into {{schema}}.gov_worker_pruned as w (kind, pruned, pruned_at) values ('feed', gone, {{trust}}.gcos_now())
    on conflict (kind) do update set pruned = w.pruned + excluded.pruned, pruned_at = excluded.pruned_at;
  end if;
  return gone;
end
$gcos_function$;

revoke all on function {{trust}}.gcos_number_feed(integer), {{trust}}.gcos_feed_has(text), {{trust}}.gcos_feed_of_link(text, text, jsonb),
  {{trust}}.gcos_feed_pulse(), {{trust}}.gcos_prune_feed(integer) from public;
grant execute on function {{trust}}.gcos_number_feed(integer), {{trust}}.gcos_feed_pulse(), {{trust}}.gcos_prune_feed(integer) to {{worker}};
