-- Records failed items in event_pending under type hints that cannot be registered, so that the promoter
-- ignores them. Only the holder of the fence writes; there is one open row per (worker, source, table, ref).
-- INVARIANT: an item is a dead letter if and only if dead_lettered_at is set; a later change of the settings
-- does not affect it, and only a retry clears it.
create function {{trust}}.gcos_record_failures(p_worker text, p_source text, p_round text, p_fence bigint, p_tables text[], p_refs text[],
  p_addresses text[], p_errors text[], p_details text[])
returns table (failed_table text, failed_ref text, failures integer, next_attempt timestamptz)
language plpgsql
rows 10
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  hint constant text := 'gcos.retry.' || p_worker;
  moment constant timestamptz := {{trust}}.gcos_now();
  policy record;
begin
  select coalesce(w.attempts, 5) as attempts, coalesce(w.base_seconds, 10) as base_seconds, coalesce(w.cap_seconds, 3600) as cap_seconds
  into policy
  from (values (1)) as one(no)
  left join {{trust}}.governance_setting s on s.setting_key = 'worker.retry'
  left join lateral jsonb_to_record(s.setting_value) as w(attempts integer, base_seconds float8, cap_seconds float8) on true;
  perform from {{schema}}.gov_worker_cursor c
  where c.worker = p_worker and c.source = p_source and c.round = p_round and c.fence = p_fence
  for no key update;
  if not found then
    raise exception 'the lease of %/% with fence % is lost', p_worker, p_source, p_fence using errcode = 'UG001';
  end if;
  return query
  with item as (
    select distinct on (i.entity_table, i.entity_ref) i.entity_table, i.entity_ref, i.address, i.error, i.detail
    from unnest(p_tables, p_refs, p_addresses, p_errors, p_details) with ordinality
      as i(entity_table, entity_ref, address, error, detail, n)
    order by i.entity_table, i.entity_ref, i.n desc
  ), counted as (
    select i.entity_table, i.entity_ref, i.address, i.error, i.detail, e.id as known, coalesce(e.error_count, 0)::integer + 1 as n,
      e.capture_payload ->> 'dead_lettered_at' as dead_since,
      coalesce(e.capture_payload, jsonb_build_object('source', p_source, 'round', p_round, 'first_failed_at', moment)) as payload
    from item i
    left join {{schema}}.event_pending e on e.event_domain = 'governance' and e.event_type_hint = hint and e.processed_at is null
      and e.entity_table = i.entity_table and e.entity_ref = i.entity_ref and e.capture_payload ->> 'source' = p_source
  ), planned as (
    select c.entity_table, c.entity_ref, c.address, c.error, c.known, c.n, w.due, w.due is null and c.dead_since is null as newly_dead,
      c.payload || jsonb_build_object('detail', c.detail::jsonb, 'last_failed_at', moment, 'next_attempt_at', w.due,
        'dead_lettered_at', case when w.due is null then coalesce(to_jsonb(c.dead_since), to_jsonb(moment)) end) as payload
    from counted c
    cross join lateral (
      select case when c.dead_since is null and c.n < policy.attempts then
        moment + make_interval(secs => least(policy.cap_seconds, policy.base_seconds * 2 ^ least(c.n - 1, 30), 2592000)) end as due
    ) w
  ), repeated as (
    update {{schema}}.event_pending e set error_count = p.n, last_error = p.error, capture_payload = p.payload
    from planned p where (select {{trust}}.gcos_enter_host()) and e.id = p.known
  ), added as (
    insert into {{schema}}.event_pending (event_domain, event_type_hint, entity_table, entity_ref, canonical_address, actor_ref,
      capture_payload, error_count, last_error)
    select 'governance', hint, p.entity_table, p.entity_ref, p.address, 'gcos', p.payload, p.n, p.error
    from planned p where (select {{trust}}.gcos_enter_host()) and p.known is null
  ), totalled as (
    update {{schema}}.gov_worker_cursor c set dead_lettered = c.dead_lettered + (select count(*) from planned p where p.newly_dead)
    where c.worker = p_worker and c.source = p_source and c.round = p_round
  )
  select p.entity_table, p.entity_ref, p.n, p.due from planned p order by p.entity_table, p.entity_ref;
end
$gcos_function$;

-- Marks retries as completed. The holder can complete only items of its own source.
create function {{trust}}.gcos_complete_retries(p_worker text, p_source text, p_round text, p_fence bigint, p_ids text[])
returns bigint
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  completed bigint;
begin
  perform from {{schema}}.gov_worker_cursor c
  where c.worker = p_worker and c.source = p_source and c.round = p_round and c.fence = p_fence
  for no key update;
  if not found then
    raise exception 'the lease of %/% with fence % is lost', p_worker, p_source, p_fence using errcode = 'UG001';
  end if;
  update {{schema}}.event_pending e set processed_at = {{trust}}.gcos_now()
  where (select {{trust}}.gcos_enter_host())
    and e.event_domain = 'governance' and e.event_type_hint = 'gcos.retry.' || p_worker and e.processed_at is null
    and e.capture_payload ->> 'source' = p_source and e.id::text = any (p_ids);
  get diagnostics completed = row_count;
  return completed;
end
$gcos_function$;

-- Makes dead letters of workers due again at once, with a failure count of zero, on behalf of the acting
-- person, and audits it. Null ids mean all dead letters; a null worker means all workers.
create function {{trust}}.gcos_retry_dead_letters(p_ids text[], p_worker text)
returns table (letter_id text, letter_origin text)
language plpgsql
rows 10
security definer
set search_path = pg_catalog, pg_temp
as $gcos_function$
declare
  person constant text := {{trust}}.gcos_require_actor();
  moment constant timestamptz := {{trust}}.gcos_now();
  ids text[];
  origins text[];
begin
  with retried as (
    update {{schema}}.event_pending e
    set error_count = 0,
      capture_payload = e.capture_payload || jsonb_build_object('next_attempt_at', moment, 'dead_lettered_at', null, 'retried_by', person)
    where (select {{trust}}.gcos_enter_host())
      and e.event_domain = 'governance' and starts_with(e.event_type_hint, 'gcos.retry.') and e.processed_at is null
      and e.capture_payload ->> 'dead_lettered_at' is not null
      and (p_ids is null or e.id::text = any (p_ids))
      and (p_worker is null or e.event_type_hint = 'gcos.retry.' || p_worker)
    returning e.id::text as id, substr(e.event_type_hint, 12) as origin
  )
  select array_agg(r.id order by r.id), array_agg(r.origin order by r.id) into ids, origins from retried r;
  perform {{trust}}.gcos_leave_host();
  if ids is null then
    return;
  end if;
  perform {{trust}}.gcos_audit(array_agg('governance_dead_letter'::text), array_agg(o.origin), array_agg('retry'::text),
    array_agg(jsonb_build_object('count', o.letters)::text), person)
  from (select u.origin, count(*) as letters from unnest(origins) as u(origin) group by u.origin order by u.origin) as o;
  return query select u.id, u.origin from unnest(ids, origins) as u(id, origin);
end
$gcos_function$;

revoke all on function {{trust}}.gcos_record_failures(text, text, text, bigint, text[], text[], text[], text[], text[]) from public;
revoke all on function {{trust}}.gcos_complete_retries(text, text, text, bigint, text[]) from public;
revoke all on function {{trust}}.gcos_retry_dead_letters(text[], text) from public;
grant execute on function {{trust}}.gcos_record_failures(text, text, text, bigint, text[], text[], text[], text[], text[]) to {{worker}};
grant execute on function {{trust}}.gcos_complete_retries(text, text, text, bigint, text[]) to {{worker}};
grant execute on function {{trust}}.gcos_retry_dead_letters(text[], text) to {{api}};
