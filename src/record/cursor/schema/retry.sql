-- Records failed items. Only the holder of the fence writes; there is one open row per (worker, source,
-- table, ref).
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
#variable_conflict use_column
declare
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
    select distinct on (i.failed_table, i.failed_ref) i.failed_table, i.failed_ref, i.address, i.error, i.detail
    from unnest(p_tables, p_refs, p_addresses, p_errors, p_details) with ordinality
      as i(failed_table, failed_ref, address, error, detail, n)
    order by i.failed_table, i.failed_ref, i.n desc
  ), planned as (
    select i.failed_table, i.failed_ref, i.address, i.error, i.detail, r.retry_id as known, w.n, w.due, r.dead_lettered_at as dead_since,
      w.due is null and r.dead_lettered_at is null as newly_dead
    from item i
    left join {{schema}}.gov_worker_retry r on r.worker = p_worker and r.source = p_source and r.failed_table = i.failed_table
      and md5(r.failed_ref) = md5(i.failed_ref) and r.failed_ref = i.failed_ref and r.completed_at is null
    cross join lateral (
      select coalesce(r.failures, 0) + 1 as n, case when r.dead_lettered_at is null and coalesce(r.failures, 0) + 1 < policy.attempts then
        moment + make_interval(secs => least(policy.cap_seconds, policy.base_seconds * 2 ^ least(coalesce(r.failures, 0), 30), 2592000)) end as due
    ) w
  ), repeated as (
    update {{schema}}.gov_worker_retry r set failures = p.n, last_error = p.error, detail = p.detail::jsonb, last_failed_at = moment,
      next_attempt_at = p.due, dead_lettered_at = case when p.due is null then coalesce(p.dead_since, moment) end
    from planned p where r.retry_id = p.known
  ), added as (
    insert into {{schema}}.gov_worker_retry (worker, source, round, failed_table, failed_ref, address, failures, last_error, detail,
      first_failed_at, last_failed_at, next_attempt_at, dead_lettered_at)
    select p_worker, p_source, p_round, p.failed_table, p.failed_ref, p.address, p.n, p.error, p.detail::jsonb, moment, moment, p.due,
      case when p.due is null then moment end
    from planned p where p.known is null
  ), totalled as (
    update {{schema}}.gov_worker_cursor c set dead_lettered = c.dead_lettered + (select count(*) from planned p where p.newly_dead)
    where c.worker = p_worker and c.source = p_source and c.round = p_round
  )
  select p.failed_table, p.failed_ref, p.n, p.due from planned p order by p.failed_table, p.failed_ref;
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
  update {{schema}}.gov_worker_retry r set completed_at = {{trust}}.gcos_now()
  where r.worker = p_worker and r.source = p_source and r.completed_at is null and r.retry_id::text = any (p_ids);
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
  person constant text := {{trust}}.gcos_require_actor('operate');
  moment constant timestamptz := {{trust}}.gcos_now();
  ids text[];
  origins text[];
begin
  with retried as (
    update {{schema}}.gov_worker_retry r
    set failures = 0, next_attempt_at = moment, dead_lettered_at = null, retried_by = person
    where r.completed_at is null and r.dead_lettered_at is not null
      and (p_ids is null or r.retry_id::text = any (p_ids))
      and (p_worker is null or r.worker = p_worker)
    returning r.retry_id::text as id, r.worker as origin
  )
  select array_agg(r.id order by r.id), array_agg(r.origin order by r.id) into ids, origins from retried r;
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
grant execute on function {{trust}}.gcos_retry_dead_letters(text[], text) to {{api}}, {{server}};
